const KEYWORDS =
  'select|from|join|left|inner|cross|on|using|where|and|or|not|in|is|null|group|order|by|having|limit|offset|as|with|case|when|then|else|end|distinct|over|partition|filter|union|all|asc|desc|nulls|last|first|between|like|exists|values|qualify|lateral|true|false';
const PART = new RegExp(`(?<k>\\b(?:${KEYWORDS})\\b)|(?<p>\\$\\d+|\\?)|(?<c>--[^\\n]*|'(?:[^']|'')*')`, 'gi');

/** Longest SQL that is coloured; a longer one is shown plain. */
const COLOURED = 20_000;

export interface SqlPart {
  /** Where it begins; a key. */
  at: number;
  /** `k` keyword, `p` parameter, `c` comment or literal, null the rest. */
  kind: 'k' | 'p' | 'c' | null;
  text: string;
}

/** Cuts SQL into parts to be coloured; the parts joined are the SQL. */
export function sqlParts(sql: string): SqlPart[] {
  if (sql.length > COLOURED) return [{ at: 0, kind: null, text: sql }];
  const parts: SqlPart[] = [];
  let last = 0;
  for (const match of sql.matchAll(PART)) {
    if (match.index > last) parts.push({ at: last, kind: null, text: sql.slice(last, match.index) });
    const kind = match.groups?.k !== undefined ? 'k' : match.groups?.p !== undefined ? 'p' : 'c';
    parts.push({ at: match.index, kind, text: match[0] });
    last = match.index + match[0].length;
  }
  if (last < sql.length) parts.push({ at: last, kind: null, text: sql.slice(last) });
  return parts;
}
