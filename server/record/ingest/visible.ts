/** Control characters other than tab and line ends, and those that turn the direction of the text after them. */
const HIDDEN = /(?![\t\n\r])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A text without characters that could make a page show something else than what is written. Line numbers stay as they are. */
export const visibleText = (text: string): string => text.replace(HIDDEN, '');
