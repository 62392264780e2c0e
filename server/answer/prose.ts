import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Inline, Paragraph } from '../../shared/cards.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Sentence } from '../../shared/plan.ts';
import { wordSpans } from './figures/names.ts';
import { type ProseContext, putBack, type Slots, slotAt, splitSlots, takeOut } from './placeholders.ts';
import { markTyped } from './typed-spans.ts';
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

/** Placeholders of a text, what code in it may quote, and the pieces that are quoted: their numbers are the source's. */
type Read = Slots & { evidence: readonly EvidenceItem[]; quoted: Set<Inline> };

/** Plain text as inlines, with slots filled. */
function textInlines(text: string, slots: Slots, style: Style): Inline[] {
  return splitSlots(text).flatMap((part): Inline[] => {
    const slot = slotAt(slots, part);
    return slot ? slot.inlines : [{ kind: 'text', text: part, ...style }];
  });
}

/** Whether a piece of evidence holds this code as it stands, in whole words. A bare number is no code of anybody. */
function isQuoted(code: string, evidence: readonly EvidenceItem[]): boolean {
  const wanted = code.trim();
  return /\p{L}/u.test(wanted) && evidence.some(({ text }) => wordSpans(text, wanted).length > 0);
}

/** Code as it was written. Its numbers are typed like any others, unless a source has just this code. */
function code(value: string, slots: Read): Inline[] {
  const text = putBack(slots, value);
  const inline: Inline = { kind: 'text', text, code: true };
  if (isQuoted(text, slots.evidence)) slots.quoted.add(inline);
  return [inline];
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
function render(says: string, context: ProseContext, quoted: Set<Inline>): Paragraph[] {
  const slots = takeOut(says, context);
  if ('instead' in slots) {
    const own = slots.instead === null ? [] : sentence(slots.instead);
    // What the server says itself is not what somebody typed.
    for (const { inlines } of own) for (const inline of inlines) quoted.add(inline);
    return own;
  }
  const read: Read = { ...slots, evidence: context.evidence, quoted };
  return blocksOf(fromMarkdown(slots.text).children, read, 'p', 0).filter(({ inlines }) =>
    inlines.some((inline) => inline.kind !== 'text' || inline.text !== ''),
  );
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
  const quoted = new Set<Inline>();
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
    const parts = render(entry.says.trim(), context, quoted);
    const key = JSON.stringify(parts);
    if (parts.length === 0 || said.has(key)) continue;
    said.add(key);
    const [first] = parts;
    const last = paragraphs.at(-1);
    const alone = parts.length === 1 && first?.kind === 'p';
    if (alone && inRow && first && last)
      last.inlines = [...last.inlines, { kind: 'text', text: ' ' }, ...first.inlines];
    else paragraphs.push(...parts);
    inRow = alone;
  }
  // Numbers are looked for in what stands together on the page, so that neither markup nor a new sentence cuts one in two.
  const marked = paragraphs.map((paragraph) => ({
    ...paragraph,
    inlines: tidy(markTyped(paragraph.inlines, context.names ?? [], (inline) => quoted.has(inline))),
  }));
  return { paragraphs: marked, cites: citesIn(marked), cut };
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
