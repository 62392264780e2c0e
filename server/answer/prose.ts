import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Inline, Paragraph } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Sentence } from '../../shared/plan.ts';
import { findTypedFigures } from './figures.ts';
import { type ProseContext, putBack, type Slots, slotAt, splitSlots, takeOut } from './placeholders.ts';
import type { EvidenceItem, Preamble } from './types.ts';

export interface Prose {
  paragraphs: Paragraph[];
  /** Evidence ids cited or quoted, in order of first use. */
  cites: string[];
  /** Sentences left out because the text was too long. */
  cut: number;
}

/** Nesting of markdown that is followed; what lies deeper is flattened away. */
const DEPTH = 24;

type Node = ReturnType<typeof fromMarkdown>['children'][number];
interface Style {
  bold?: true;
  italic?: true;
}

/** Placeholders of a text, and what code in it may quote. */
type Read = Slots & { evidence: readonly EvidenceItem[] };

/** Plain text as inlines: slots filled, typed numbers told apart. */
function textInlines(text: string, slots: Slots, style: Style): Inline[] {
  const out: Inline[] = [];
  const plain = (piece: string) => {
    for (const part of splitSlots(piece)) {
      const slot = slotAt(slots, part);
      if (slot) out.push(...slot.inlines);
      else out.push({ kind: 'text', text: part, ...style });
    }
  };
  let last = 0;
  for (const figure of findTypedFigures(text)) {
    plain(text.slice(last, figure.start));
    out.push({ kind: 'typed', text: figure.text, state: 'unchecked' });
    last = figure.end;
  }
  plain(text.slice(last));
  return out;
}

/** Whether a piece of evidence holds this code as it stands, in whole words. A bare number is no code of anybody. */
function isQuoted(code: string, evidence: readonly EvidenceItem[]): boolean {
  const wanted = code.trim();
  if (!/\p{L}/u.test(wanted)) return false;
  return evidence.some(({ text }) => {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      if (!/[\p{L}\p{N}_]$/u.test(text.slice(0, at)) && !/^[\p{L}\p{N}_]/u.test(text.slice(end))) return true;
    }
    return false;
  });
}

/** Code as it was written. Its numbers are typed like any others, unless a source has just this code. */
function code(value: string, slots: Read): Inline[] {
  const text = putBack(slots, value);
  const piece = (from: number, to?: number): Inline => ({
    kind: 'text',
    text: text.slice(from, to),
    code: true,
  });
  if (isQuoted(text, slots.evidence)) return [piece(0)];
  const out: Inline[] = [];
  let last = 0;
  for (const figure of findTypedFigures(text)) {
    out.push(piece(last, figure.start), { kind: 'typed', text: figure.text, state: 'unchecked' });
    last = figure.end;
  }
  return [...out, piece(last)];
}

/** Inline markdown: bold, italic and code stay; links, images and markup become the text they hold. */
function inlinesOf(nodes: readonly Node[], slots: Read, style: Style, depth: number): Inline[] {
  if (depth > DEPTH) return [];
  return nodes.flatMap((node): Inline[] => {
    switch (node.type) {
      case 'text':
      case 'html':
        return textInlines(node.value.replace(/\s*\n\s*/g, ' '), slots, style);
      case 'inlineCode':
        return code(node.value, slots);
      case 'break':
        return [{ kind: 'text', text: ' ', ...style }];
      case 'strong':
        return inlinesOf(node.children, slots, { ...style, bold: true }, depth + 1);
      case 'emphasis':
        return inlinesOf(node.children, slots, { ...style, italic: true }, depth + 1);
      case 'image':
      case 'imageReference':
        return textInlines(node.alt ?? '', slots, style);
      default:
        return 'children' in node ? inlinesOf(node.children, slots, style, depth + 1) : [];
    }
  });
}

function blocksOf(nodes: readonly Node[], slots: Read, kind: Paragraph['kind'], depth: number): Paragraph[] {
  if (depth > DEPTH) return [];
  return nodes.flatMap((node): Paragraph[] => {
    switch (node.type) {
      case 'paragraph':
        return [{ kind, inlines: inlinesOf(node.children, slots, {}, depth + 1) }];
      case 'heading':
        return [{ kind, inlines: inlinesOf(node.children, slots, { bold: true }, depth + 1) }];
      case 'code':
        return [{ kind: 'pre', inlines: code(node.value, slots) }];
      case 'html':
        return [{ kind, inlines: textInlines(node.value.replace(/\s*\n\s*/g, ' '), slots, {}) }];
      case 'list':
        return blocksOf(node.children, slots, 'li', depth + 1);
      case 'definition':
      case 'thematicBreak':
        return [];
      default:
        return 'children' in node ? blocksOf(node.children, slots, kind, depth + 1) : [];
    }
  });
}

const sameStyle = (a: Inline, b: Inline): boolean =>
  a.kind === 'text' && b.kind === 'text' && a.bold === b.bold && a.italic === b.italic && a.code === b.code;

/** Joins neighbouring texts of one style and drops empty ones. */
function tidy(inlines: readonly Inline[]): Inline[] {
  const out: Inline[] = [];
  for (const inline of inlines) {
    const before = out.at(-1);
    if (inline.kind === 'text' && inline.text === '') continue;
    if (before && before.kind === 'text' && inline.kind === 'text' && sameStyle(before, inline))
      out[out.length - 1] = { ...before, text: before.text + inline.text };
    else out.push(inline);
  }
  return out;
}

const sentence = (text: string): Paragraph[] => [{ kind: 'p', inlines: [{ kind: 'text', text }] }];

/** One sentence as paragraphs; nothing when it cites what does not exist. */
function render(says: string, context: ProseContext): Paragraph[] {
  const slots = takeOut(says, context);
  if ('instead' in slots) return slots.instead === null ? [] : sentence(slots.instead);
  return blocksOf(fromMarkdown(slots.text).children, { ...slots, evidence: context.evidence }, 'p', 0)
    .map((paragraph) => ({ ...paragraph, inlines: tidy(paragraph.inlines) }))
    .filter((paragraph) => paragraph.inlines.length > 0);
}

/** Whether the outcome a sentence depends on has come about. */
const isChosen = ({ when }: Sentence, context: ProseContext): boolean =>
  when === null || context.outcomes.get(when.name) === when.is;

/**
 * Sentences as paragraphs: chosen by outcome, markdown read into the few forms a page has, placeholders filled.
 * A sentence whose fact is not recorded is replaced by the server's own; one that cites what does not exist is left
 * out. Numbers typed in the text are marked as typed, for the check.
 * @param limit characters of all sentences together; later ones are cut
 */
export function renderProse(
  sentences: readonly Sentence[],
  context: ProseContext,
  limit: number = LIMITS.body,
): Prose {
  const paragraphs: Paragraph[] = [];
  const said = new Set<string>();
  let length = 0;
  let cut = 0;
  let inRow = false;
  for (const entry of sentences.slice(0, LIMITS.blocksSeen)) {
    if (!isChosen(entry, context)) continue;
    length += entry.says.length;
    if (length > limit) {
      cut += 1;
      continue;
    }
    const parts = render(entry.says.trim(), context);
    const key = JSON.stringify(parts);
    if (parts.length === 0 || said.has(key)) continue;
    said.add(key);
    const [first] = parts;
    const last = paragraphs.at(-1);
    const alone = parts.length === 1 && first?.kind === 'p';
    if (alone && inRow && first && last)
      last.inlines = tidy([...last.inlines, { kind: 'text', text: ' ' }, ...first.inlines]);
    else paragraphs.push(...parts);
    inRow = alone;
  }
  return { paragraphs, cites: citesIn(paragraphs), cut };
}

function citesIn(paragraphs: readonly Paragraph[]): string[] {
  const ids = paragraphs.flatMap(({ inlines }) =>
    inlines.flatMap((inline) => (inline.kind === 'cite' || inline.kind === 'quote' ? [inline.id] : [])),
  );
  return [...new Set(ids)];
}

/** A caption: one short text on one line. */
export function renderCaption(text: string, context: ProseContext): Inline[] {
  const { paragraphs } = renderProse([{ says: text, when: null }], context, LIMITS.cellText);
  return tidy(
    paragraphs.flatMap(({ inlines }, at): Inline[] =>
      at === 0 ? inlines : [{ kind: 'text', text: ' ' }, ...inlines],
    ),
  );
}

/** What premises and checks of a plan say themselves, each bound to its outcome; to be said before the explanation. */
export function outcomeSentences(preamble: Pick<Preamble, 'premises' | 'checks'>): Sentence[] {
  return [...preamble.premises, ...preamble.checks].flatMap((entry) =>
    (
      [
        ['true', entry.if_true],
        ['false', entry.if_false],
        ['unknown', entry.if_unknown],
      ] as const
    ).flatMap(([is, says]) =>
      says === null || says.trim() === '' ? [] : [{ says, when: { name: entry.name, is } }],
    ),
  );
}
