import type { Inline } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import { absentSentence, type FactResult } from './facts.ts';
import { type Mention, mentionsIn } from './mention.ts';
import { figureText } from './resolve/format.ts';
import type { EvidenceItem, Outcomes } from './types.ts';

/** What placeholders of a text may stand for. */
export interface ProseContext {
  facts: ReadonlyMap<string, FactResult>;
  outcomes: Outcomes;
  evidence: readonly EvidenceItem[];
  /** Titles by feature id. */
  features: ReadonlyMap<string, string>;
  /** Names of the record that hold numbers, as `numberedNames` gives them; a number in one is no figure. */
  names?: readonly string[];
}

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

function fill({ kind, names }: Mention, context: ProseContext): Filled {
  const [name = ''] = names;
  const known = (id: string) => context.evidence.find((item) => item.id === id);
  switch (kind) {
    case 'quote': {
      const item = known(name);
      if (!item) return { instead: null };
      return { inlines: [{ kind: 'quote', id: name, text: item.text.slice(0, LIMITS.cellText) }] };
    }
    case 'cite':
      if (!names.every(known)) return { instead: null };
      return { inlines: names.map((id): Inline => ({ kind: 'cite', id })) };
    case 'feature': {
      const title = context.features.get(name);
      return title === undefined ? { instead: null } : { inlines: [{ kind: 'feature', id: name, title }] };
    }
    case 'fact': {
      const result = context.facts.get(name);
      if (!result || !hasValue(result)) return { instead: absentSentence(result) };
      return { inlines: [factInline(result)] };
    }
  }
}

/** Takes the placeholders out of a text and looks up what they stand for. */
export function takeOut(says: string, context: ProseContext): Slots | Unsayable {
  const source = says.replace(PRIVATE, '');
  const filled: Slots['filled'] = [];
  let text = '';
  let last = 0;
  let quoted: string | null = null;
  for (const mention of mentionsIn(source)) {
    if (filled.length >= MOST_SLOTS) break;
    const one = fill(mention, context);
    if ('instead' in one) return one;
    const between = source.slice(last, mention.at);
    const end = mention.at + mention.raw.length;
    // A quote carries its own mark: the same citation right behind it would print it twice.
    const [only] = mention.kind === 'cite' && mention.names.length === 1 ? mention.names : [];
    if (quoted !== null && between.trim() === '' && only === quoted) {
      last = end;
      continue;
    }
    quoted = mention.kind === 'quote' ? (mention.names[0] ?? null) : null;
    filled.push({ raw: mention.raw, inlines: one.inlines });
    text += between + String.fromCharCode(SLOT + filled.length - 1);
    last = end;
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
  const source = text.replace(PRIVATE, '');
  let out = '';
  let last = 0;
  for (const mention of mentionsIn(source)) {
    out += source.slice(last, mention.at) + writtenOut(fill(mention, context));
    last = mention.at + mention.raw.length;
  }
  return clip((out + source.slice(last)).replace(/\s+/g, ' ').trim(), length);
}

function writtenOut(one: Filled): string {
  if ('instead' in one) return one.instead === null ? '' : 'not recorded';
  return one.inlines
    .map((inline) => {
      if (inline.kind === 'figure') return figureText(inline.figure);
      if (inline.kind === 'label') return inline.text;
      return inline.kind === 'feature' ? inline.title : '';
    })
    .join('');
}
