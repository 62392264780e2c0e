import { BASES, type Figure, type Inline, type Paragraph, UNITS } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { fields, isRecord, list, number, oneOf, text } from './unknown.ts';

/** Most inline pieces read of one paragraph, and most paragraphs of one text. */
const INLINES = 200;
const PARAGRAPHS = 40;

/** Reads a figure; one that cannot be read is a missing one. */
export function readFigure(value: unknown): Figure {
  const figure = fields(value);
  const amount = number(figure.value);
  const atLeast = amount === null ? null : text(figure.atLeast);
  return {
    value: amount,
    unit: oneOf(figure.unit, UNITS, 'none'),
    basis: oneOf(figure.basis, BASES, 'unknown'),
    evidence: text(figure.evidence),
    disputed: figure.disputed === true,
    n: number(figure.n),
    missing: amount === null ? (text(figure.missing) ?? 'not recorded') : null,
    ...(atLeast === null ? {} : { atLeast: atLeast.slice(0, LIMITS.label * 2) }),
  };
}

const clip = (value: unknown): string => (text(value) ?? '').slice(0, LIMITS.body);

function readInline(value: unknown): Inline | null {
  if (!isRecord(value)) return null;
  switch (value.kind) {
    case 'text':
      return {
        kind: 'text',
        text: clip(value.text),
        bold: value.bold === true,
        italic: value.italic === true,
        code: value.code === true,
      };
    case 'figure':
      return { kind: 'figure', figure: readFigure(value.figure) };
    case 'label':
      return { kind: 'label', text: clip(value.text), evidence: text(value.evidence) };
    case 'cite':
      return { kind: 'cite', id: clip(value.id) };
    case 'feature':
      return { kind: 'feature', id: clip(value.id), title: clip(value.title) };
    case 'quote':
      return { kind: 'quote', id: clip(value.id), text: clip(value.text) };
    case 'typed':
      return {
        kind: 'typed',
        text: clip(value.text),
        state: oneOf(value.state, ['unchecked', 'supported', 'unverified'], 'unchecked'),
      };
    default:
      return null;
  }
}

/** Reads prose as the server sends it; pieces of an unknown kind are left out. */
export const readParagraphs = (value: unknown): Paragraph[] =>
  list(
    value,
    (item) =>
      isRecord(item)
        ? {
            kind: oneOf(item.kind, ['p', 'li', 'pre'], 'p'),
            inlines: list(item.inlines, readInline, INLINES),
          }
        : null,
    PARAGRAPHS,
  );

/** Query ids behind the figures of a text, in reading order, each once. */
export function evidenceIds(paragraphs: readonly Paragraph[]): string[] {
  const ids = paragraphs.flatMap((paragraph) =>
    paragraph.inlines.map((inline) =>
      inline.kind === 'figure' ? inline.figure.evidence : inline.kind === 'label' ? inline.evidence : null,
    ),
  );
  return [...new Set(ids.filter((id): id is string => id !== null))];
}
