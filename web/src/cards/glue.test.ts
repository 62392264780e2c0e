import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Inline } from '../../../shared/cards.ts';
import { fig } from './fixtures/make.ts';
import { glue } from './glue.ts';

const text = (value: string): Inline => ({ kind: 'text', text: value });
const figure: Inline = { kind: 'figure', figure: fig(415, 's') };
const cite: Inline = { kind: 'cite', id: 'E1' };

describe('glue', () => {
  it('keeps punctuation with the figure before it', () => {
    expect(glue([text('took '), figure, text(', then more')])).toEqual([
      [text('took ')],
      [figure, text(',')],
      [text(' then more')],
    ]);
  });
  it('keeps a citation with the word before it, and with the full stop behind', () => {
    expect(glue([text('the progress log'), cite, text('. Next')])).toEqual([
      [text('the progress ')],
      [text('log'), cite, text('.')],
      [text(' Next')],
    ]);
  });
  it('keeps a citation with the figure before it', () => {
    expect(glue([figure, cite])).toEqual([[figure, cite]]);
  });
  it('leaves other pieces as they are', () => {
    const quote: Inline = { kind: 'quote', id: 'E1', text: 'words' };
    const pieces = [cite, text(' and '), quote, text('end ')];
    expect(glue(pieces)).toEqual(pieces.map((piece) => [piece]));
    expect(glue([])).toEqual([]);
  });
  it('keeps a bracket with the short label or figure it opens before', () => {
    const label: Inline = { kind: 'label', text: 'git', evidence: 'q1' };
    expect(glue([text('lowest ('), label, text('), over')])).toEqual([
      [text('lowest ')],
      [text('('), label, text('),')],
      [text(' over')],
    ]);
  });
  it('sets a citation close to its word, whatever space stands before it', () => {
    expect(glue([figure, text(' '), cite, text('.')])).toEqual([[figure, cite, text('.')]]);
    expect(glue([text('in the '), figure, text(' log '), cite])).toEqual([
      [text('in the ')],
      [figure],
      [text(' ')],
      [text('log'), cite],
    ]);
  });
  it('does so in the first words of a sentence too', () => {
    expect(glue([text('The log '), cite])).toEqual([[text('The ')], [text('log'), cite]]);
    expect(glue([text(' '), cite])).toEqual([[cite]]);
  });
  it('names the evidence of a quote once', () => {
    const quote: Inline = { kind: 'quote', id: 'E1', text: 'words' };
    expect(glue([quote, text(' '), cite])).toEqual([[quote]]);
    expect(glue([quote, text(' '), { kind: 'cite', id: 'E2' }])).toEqual([
      [quote],
      [{ kind: 'cite', id: 'E2' }],
    ]);
  });
  it('loses no word of any text', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 12 }).map(text),
      fc.constant(figure),
      fc.constant(cite),
      fc.constant<Inline>({ kind: 'label', text: 'L', evidence: null }),
    );
    const words = (inlines: readonly Inline[]) =>
      inlines
        .map((one) => (one.kind === 'text' || one.kind === 'label' ? one.text : `<${one.kind}>`))
        .join('');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (inlines) => {
        expect(words(glue(inlines).flat()).replace(/\s/g, '')).toBe(words(inlines).replace(/\s/g, ''));
      }),
    );
  });
  it('keeps the look of what it splits', () => {
    const bold: Inline = { kind: 'text', text: 'very bold', bold: true };
    expect(glue([bold, cite])).toEqual([
      [{ kind: 'text', text: 'very ', bold: true }],
      [{ kind: 'text', text: 'bold', bold: true }, cite],
    ]);
  });
});
