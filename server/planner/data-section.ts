/**
 * The part of a prompt that holds words of other people: file content, titles, earlier questions. It is one JSON value
 * between two marks, with every character that could close it, imitate it or hide in it written as an escape.
 */
export const DATA_OPEN = '<record_data>';
export const DATA_CLOSE = '</record_data>';

/** Marks of tags, line separators, direction and invisible characters, private and unassigned ones, lone surrogates. */
const ESCAPED = /[<>&`\u2028\u2029]|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;

const escapeUnits = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');

/** JSON of any plain value on one line that equals it when parsed and has none of the characters above. */
export const inertJson = (value: unknown): string => JSON.stringify(value).replace(ESCAPED, escapeUnits);

/** The whole section. */
export const dataSection = (value: unknown): string => `${DATA_OPEN}\n${inertJson(value)}\n${DATA_CLOSE}`;
