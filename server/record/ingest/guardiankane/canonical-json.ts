/**
 * JSON with sorted keys and no spaces, as context commits are hashed. Bounded in depth by the caller's reader: values come from
 * JSON.parse of a text that was read within LIMITS.sourceDepth.
 * @param ascii writes every character beyond ASCII as an escape, as some writers do
 */
export function canonicalJson(value: unknown, ascii: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, ascii)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${members.map(([key, item]) => `${quoted(key, ascii)}:${canonicalJson(item, ascii)}`).join(',')}}`;
  }
  return typeof value === 'string' ? quoted(value, ascii) : (JSON.stringify(value) ?? 'null');
}

function quoted(text: string, ascii: boolean): string {
  const json = JSON.stringify(text);
  if (!ascii) return json;
  return json.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
