import type { Inline } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import { absentSentence, type FactResult } from './facts.ts';
import { figureText } from './resolve/format.ts';
import type { EvidenceItem, Outcomes } from './types.ts';

/** What placeholders of a text may stand for. */
export interface ProseContext {
  facts: ReadonlyMap<string, FactResult>;
  outcomes: Outcomes;
  evidence: readonly EvidenceItem[];
  /** Titles by feature id. */
  features: ReadonlyMap<string, string>;
}

/** `{fact}`, `{feature:28}`, `{quote:E3}`, `[E3]`, `[E1, E2]` */
const PLACEHOLDER =
  /\{(?:quote:(E\d{1,3})|feature:([^{}]{1,80})|([A-Za-z_][\w-]{0,63}))\}|\[(E\d{1,3}(?:\s*,\s*E\d{1,3})*)\]/g;
/** Placeholders become single private-use characters while markdown is read, so that neither disturbs the other. */
const SLOT = 0xe100;
const MOST_SLOTS = 400;
const PRIVATE = /[\ue000-\uf8ff]/g;

/** A text with its placeholders taken out, each a single character of `text`. */
export interface Slots {
  text: string;
  filled: { raw: string; inlines: Inline[] }[];
}
/** A sentence that cannot be said; `instead` is the server's own in its place, or null for none. */
export interface Unsayable {
  instead: string | null;
}

type Filled = { inlines: Inline[] } | Unsayable;

const hasValue = (fact: FactResult): boolean =>
  fact.fact.kind.endsWith('_label') ? fact.label !== null : fact.figure.value !== null;

const factInline = (fact: FactResult): Inline =>
  fact.label === null
    ? { kind: 'figure', figure: fact.figure }
    : { kind: 'label', text: fact.label, evidence: fact.figure.evidence };

function fill(match: RegExpMatchArray, context: ProseContext): Filled {
  const [, quote, feature, fact, cites] = match;
  const known = (id: string) => context.evidence.find((item) => item.id === id);
  if (quote !== undefined) {
    const item = known(quote);
    if (!item) return { instead: null };
    return { inlines: [{ kind: 'quote', id: quote, text: item.text.slice(0, LIMITS.cellText) }] };
  }
  if (cites !== undefined) {
    const ids = cites.split(',').map((id) => id.trim());
    if (!ids.every(known)) return { instead: null };
    return { inlines: ids.map((id): Inline => ({ kind: 'cite', id })) };
  }
  if (feature !== undefined) {
    const id = feature.trim();
    const title = context.features.get(id);
    return title === undefined ? { instead: null } : { inlines: [{ kind: 'feature', id, title }] };
  }
  const result = context.facts.get(fact ?? '');
  if (!result || !hasValue(result)) return { instead: absentSentence(result) };
  return { inlines: [factInline(result)] };
}

/** Takes the placeholders out of a text and looks up what they stand for. */
export function takeOut(says: string, context: ProseContext): Slots | Unsayable {
  const source = says.replace(PRIVATE, '');
  const filled: Slots['filled'] = [];
  let text = '';
  let last = 0;
  let quoted: string | null = null;
  for (const match of source.matchAll(PLACEHOLDER)) {
    if (filled.length >= MOST_SLOTS) break;
    const one = fill(match, context);
    if ('instead' in one) return one;
    const between = source.slice(last, match.index);
    // A quote carries its own mark: the same citation right behind it would print it twice.
    if (quoted !== null && between.trim() === '' && match[4]?.trim() === quoted) {
      last = match.index + match[0].length;
      continue;
    }
    quoted = match[1] ?? null;
    filled.push({ raw: match[0], inlines: one.inlines });
    text += between + String.fromCharCode(SLOT + filled.length - 1);
    last = match.index + match[0].length;
  }
  return { text: text + source.slice(last), filled };
}

/** The slot a character stands for, or undefined. */
export const slotAt = (slots: Slots, character: string): Slots['filled'][number] | undefined =>
  slots.filled[character.charCodeAt(0) - SLOT];

/** A text with its placeholders as they were written: for code, where they mean themselves. */
export const putBack = (slots: Slots, text: string): string =>
  text.replace(PRIVATE, (character) => slotAt(slots, character)?.raw ?? '');

/** Splits a text at its slots: pieces of text, and characters that stand for one. */
export const splitSlots = (text: string): string[] =>
  text.split(/([\ue000-\uf8ff])/).filter((part) => part !== '');

/** Cuts a text to a length, at a word where there is one, and shows that it was cut. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  // Half a surrogate pair is never shown.
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

/**
 * A title or label, which is plain text: facts and features are written out, citations are left out.
 * What is not recorded says so.
 */
export function plainText(text: string, context: ProseContext, length: number = LIMITS.title): string {
  const out = text.replace(PRIVATE, '').replace(PLACEHOLDER, (raw) => {
    const one = takeOut(raw, context);
    if ('instead' in one) return one.instead === null ? '' : 'not recorded';
    return (one.filled[0]?.inlines ?? [])
      .map((inline) => {
        if (inline.kind === 'figure') return figureText(inline.figure);
        if (inline.kind === 'label') return inline.text;
        return inline.kind === 'feature' ? inline.title : '';
      })
      .join('');
  });
  return clip(out.replace(/\s+/g, ' ').trim(), length);
}
