import { toUSVString } from 'node:util';

const ESCAPED_HALF = /\\u[dD][89a-fA-F]/;

const replaceHalves = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? toUSVString(value) : value;

/**
 * Parses one complete value. Half a surrogate pair in it, raw or escaped, becomes U+FFFD.
 * @param text the value's own text, from its first to its last character
 * @param odd the text has `\u` escapes or surrogates, so that half a pair may be among them
 * @returns the value, or `undefined` when the text is not JSON (no JSON is `undefined`)
 */
export function parseValue(text: string, odd: boolean): unknown {
  try {
    if (!odd) return JSON.parse(text);
    return ESCAPED_HALF.test(text) ? JSON.parse(text, replaceHalves) : JSON.parse(toUSVString(text));
  } catch {
    return undefined;
  }
}

/**
 * Decodes one JSON string with its quotes. Control characters in it are let through: the value around it is parsed anyway.
 * @param odd as for `parseValue`
 * @returns the string, or null when its escapes are broken
 */
export function parseString(text: string, odd: boolean): string | null {
  if (text.includes('\\')) {
    const value = parseValue(text, true);
    return typeof value === 'string' ? value : null;
  }
  const inner = text.slice(1, -1);
  return odd ? toUSVString(inner) : inner;
}
