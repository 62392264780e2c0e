/** Characters that turn the direction of the text after them. */
const TURNING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
/** Control characters other than tab and line ends. */
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;

/**
 * A text without characters that could make a page show something else than what is written. A control character becomes
 * U+FFFD and not nothing: a line of nothing but them is damage, and must not look like an empty line.
 */
export const visibleText = (text: string): string => text.replace(TURNING, '').replace(CONTROL, '\uFFFD');
