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
  it('keeps the look of what it splits', () => {
    const bold: Inline = { kind: 'text', text: 'very bold', bold: true };
    expect(glue([bold, cite])).toEqual([
      [{ kind: 'text', text: 'very ', bold: true }],
      [{ kind: 'text', text: 'bold', bold: true }, cite],
    ]);
  });
});
