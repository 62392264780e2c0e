/** What prose of a plan may mention in place of writing it out: `{fact}`, `{feature:28}`, `{quote:E3}`, `[E3]`, `[E1, E2]`. */

const MENTION =
  /\{(?:quote:(E\d{1,3})|feature:([^{}]{1,80})|([A-Za-z_][\w-]{0,63}))\}|\[(E\d{1,3}(?:\s{0,8},\s{0,8}E\d{1,3}){0,40})\]/g;

export interface Mention {
  kind: 'fact' | 'feature' | 'quote' | 'cite';
  /** Names or ids, in order; several only for `cite`. */
  names: string[];
  /** As it was written, and where. */
  raw: string;
  at: number;
}

/** Everything a text mentions, in order. */
export function mentionsIn(text: string): Mention[] {
  return [...text.matchAll(MENTION)].map((match): Mention => {
    const [raw, quote, feature, fact, cites = ''] = match;
    const at = match.index;
    if (fact !== undefined) return { kind: 'fact', names: [fact], raw, at };
    if (feature !== undefined) return { kind: 'feature', names: [feature.trim()], raw, at };
    if (quote !== undefined) return { kind: 'quote', names: [quote], raw, at };
    return { kind: 'cite', names: cites.split(',').map((id) => id.trim()), raw, at };
  });
}
