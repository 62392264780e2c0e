import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Figure, Inline, Paragraph } from '../../shared/cards.ts';
import type { Fact, Sentence } from '../../shared/plan.ts';
import { measureById } from '../metrics/measures.ts';
import type { FactResult } from './facts.ts';
import { type ProseContext, plainText } from './placeholders.ts';
import { outcomeSentences, renderCaption, renderProse } from './prose.ts';

const figure = (value: number | null, unit: Figure['unit']): Figure => ({
  value,
  unit,
  basis: 'measured',
  evidence: 'q1',
  disputed: false,
  n: 1,
  missing: value === null ? 'not recorded' : null,
});
const fact = (
  name: string,
  measure: string,
  value: number | null,
  kind: Fact['kind'] = 'value',
): [string, FactResult] => {
  const known = measureById(measure) ?? null;
  return [
    name,
    {
      name,
      fact: { name, kind, measure, source: 'counted', by: null, scope: 'about', where: [] },
      measure: known,
      words: 'Build time of feature 28',
      figure: figure(value, known?.unit ?? 'none'),
      label: kind === 'top_label' ? 'Loading skeletons' : null,
      labels: [],
      values: [],
      descriptor: null,
      coverage: null,
      interval: null,
    },
  ];
};
const context: ProseContext = {
  facts: new Map([
    fact('time', 'build_time', 415),
    fact('build_time_28', 'build_time', 415),
    fact('gone', 'build_time', null),
    fact('slowest', 'build_time', 415, 'top_label'),
  ]),
  outcomes: new Map([['claim', 'false']]),
  evidence: [
    {
      id: 'E1',
      cite: { source: 's', label: 'claude-progress.txt', line: 71, basis: 'measured' },
      text: 'Feature #28 PASSED <b>(415s)</b>',
    },
    { id: 'E2', cite: { source: 's', label: 'metrics.json', line: 3, basis: 'claimed' }, text: 'two' },
  ],
  features: new Map([['28', 'Loading skeletons']]),
};
const says = (...texts: string[]): Sentence[] => texts.map((text) => ({ says: text, when: null }));
const prose = (...texts: string[]) => renderProse(says(...texts), context).paragraphs;
const text = (value: string): Inline => ({ kind: 'text', text: value });

describe('prose', () => {
  it('checks numbers in code, unless a source has just that code', () => {
    const kinds = (value: string) =>
      prose(value)[0]?.inlines.map((one) => [one.kind, 'text' in one && one.text]);
    expect(kinds('`PASSED <b>(415s)`')).toEqual([['text', 'PASSED <b>(415s)']]);
    expect(kinds('`took 99 s`')).toEqual([
      ['text', 'took '],
      ['typed', '99 s'],
    ]);
    expect(kinds('`28`')).toEqual([['typed', '28']]);
  });

  it('fills placeholders', () => {
    expect(prose('{feature:28} took {time} [E1], the most: {slowest}. {quote:E1}')).toEqual([
      {
        kind: 'p',
        inlines: [
          { kind: 'feature', id: '28', title: 'Loading skeletons' },
          text(' took '),
          { kind: 'figure', figure: figure(415, 's') },
          text(' '),
          { kind: 'cite', id: 'E1' },
          text(', the most: '),
          { kind: 'label', text: 'Loading skeletons', evidence: 'q1' },
          text('. '),
          { kind: 'quote', id: 'E1', text: 'Feature #28 PASSED <b>(415s)</b>' },
        ],
      },
    ] satisfies Paragraph[]);
  });
  it('puts sentences in a row into one paragraph, lists and code into their own', () => {
    expect(
      prose('One.', 'Two.', '- a\n- **b**', '```\n415 {time}\n```', 'Last.').map(({ kind }) => kind),
    ).toEqual(['p', 'li', 'li', 'pre', 'p']);
    expect(prose('```\n415 {time}\n```')).toEqual([
      {
        kind: 'pre',
        inlines: [
          { kind: 'typed', text: '415', state: 'unchecked' },
          { kind: 'text', text: ' {time}', code: true },
        ],
      },
    ]);
  });
  it('keeps names with underscores whole, next to bold and italic', () => {
    expect(prose('**Fast** _is_ {build_time_28} _x_ `a_b`')[0]?.inlines).toEqual([
      { kind: 'text', text: 'Fast', bold: true },
      text(' '),
      { kind: 'text', text: 'is', italic: true },
      text(' '),
      { kind: 'figure', figure: figure(415, 's') },
      text(' '),
      { kind: 'text', text: 'x', italic: true },
      text(' '),
      { kind: 'text', text: 'a_b', code: true },
    ]);
  });
  it('says itself what is not recorded, once', () => {
    expect(prose('It took {gone}.', 'Again {gone}.', 'And {nothing_here}.')).toEqual([
      {
        kind: 'p',
        inlines: [text('Build time of feature 28 is not recorded. A figure of this answer is not recorded.')],
      },
    ]);
  });
  it('drops a sentence that cites or names what does not exist', () => {
    expect(prose('Because of this [E9].', '{quote:E7}', 'See {feature:99}.', 'Kept [E1, E2].')).toEqual([
      {
        kind: 'p',
        inlines: [text('Kept '), { kind: 'cite', id: 'E1' }, { kind: 'cite', id: 'E2' }, text('.')],
      },
    ]);
  });
  it('prints the mark of a quote once', () => {
    const twice = prose('{quote:E1} [E1] and [E2].');
    expect(twice).toEqual(prose('{quote:E1} and [E2].'));
    expect(JSON.stringify(prose('{quote:E1} [E2]'))).toContain('E2');
  });

  it('marks numbers that were typed, code among them, but not ids, dates or citations', () => {
    const inlines =
      prose('Feature 28 took 415 s and three attempts on 28 March, `12` [E1].')[0]?.inlines ?? [];
    expect(inlines.filter(({ kind }) => kind === 'typed')).toEqual([
      { kind: 'typed', text: '415 s', state: 'unchecked' },
      { kind: 'typed', text: 'three attempts', state: 'unchecked' },
      { kind: 'typed', text: '12', state: 'unchecked' },
    ]);
  });

  it('marks a number in one piece, however markup, hidden characters or sentences cut it', () => {
    const typed = (...texts: string[]) =>
      prose(...texts).flatMap(({ inlines }) =>
        inlines.flatMap((inline) => (inline.kind === 'typed' ? [inline.text] : [])),
      );
    expect(typed('It took th**ree** attempts.')).toEqual(['three attempts']);
    expect(typed('It took 4**1**5 s.')).toEqual(['415 s']);
    expect(typed('It took 4*1*`5` s.')).toEqual(['415 s']);
    expect(typed('It took &#52;&#x31;5 s.')).toEqual(['415 s']);
    expect(typed('It took 4\\15 s.')).toEqual(['4', '15 s']);
    expect(typed('It took 4\u200b1\u00ad5 s.')).toEqual(['4\u200b1\u00ad5 s']);
    expect(typed('It took four', 'hundred seconds.')).toEqual(['four hundred seconds']);
    expect(typed('[4](x)[15 s](y)')).toEqual(['415 s']);
    expect(typed('It took 1{time}.')).toEqual(['1']);
  });

  it('leaves the names of the record alone', () => {
    const named = { ...context, names: ['error 404 page'] };
    const { paragraphs } = renderProse(says('The **Error 404** page took 404 s.'), named);
    expect(paragraphs[0]?.inlines.filter(({ kind }) => kind === 'typed')).toEqual([
      { kind: 'typed', text: '404 s', state: 'unchecked' },
    ]);
  });

  it('chooses by outcome', () => {
    const chosen = renderProse(
      [
        { says: 'Yes.', when: { name: 'claim', is: 'true' } },
        { says: 'No.', when: { name: 'claim', is: 'false' } },
        { says: 'Who knows.', when: { name: 'other', is: 'unknown' } },
      ],
      context,
    );
    expect(chosen.paragraphs).toEqual([{ kind: 'p', inlines: [text('No.')] }]);
  });
  it('turns links, images and markup into plain text', () => {
    const inlines = prose(
      'See [here](javascript:alert) ![pic](http://x/y.png) <img src=x onerror=alert> <b>bold</b> [E1]\n\n[x]: http://evil',
    ).flatMap((paragraph) => paragraph.inlines);
    expect(inlines.every(({ kind }) => kind === 'text' || kind === 'cite')).toBe(true);
    const all = inlines.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('');
    expect(all).toContain('here');
    expect(all).toContain('pic');
    expect(all).toContain('<img src=x onerror=alert>');
    expect(JSON.stringify(inlines)).not.toContain('javascript');
    expect(JSON.stringify(inlines)).not.toContain('http://');
  });
  it('is bounded and never throws, whatever the text', () => {
    const deep = '> '.repeat(500) + '- '.repeat(500) + '*'.repeat(1000) + '{'.repeat(500);
    expect(renderProse(says(deep, 'x'.repeat(5000), 'short'), context).cut).toBeGreaterThan(0);
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.constantFrom('{time}', '[E1]', '**', '`', '\n\n- ', '<p>', '', '{feature:28}'),
          ),
        ),
        (parts) => {
          for (const paragraph of renderProse(says(parts.join('')), context).paragraphs)
            expect(paragraph.inlines.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('captions and titles', () => {
  it('are one line', () => {
    expect(renderCaption('of {time}', context)).toEqual([
      text('of '),
      { kind: 'figure', figure: figure(415, 's') },
    ]);
    expect(renderCaption('of {gone}', context)).toEqual([text('Build time of feature 28 is not recorded.')]);
  });
  it('write facts out in titles', () => {
    expect(plainText('{feature:28} took {time}, {slowest} [E1] {gone}', context)).toBe(
      'Loading skeletons took 415 s, Loading skeletons not recorded',
    );
    expect(plainText('x'.repeat(200), context).length).toBeLessThanOrEqual(80);
  });
});

describe('what premises say', () => {
  it('is bound to their outcomes', () => {
    expect(
      outcomeSentences({
        premises: [
          {
            type: 'figure',
            name: 'p',
            fact: 'f',
            is: 'is',
            claimed: 'three',
            if_true: 'Yes.',
            if_false: null,
            if_unknown: '',
          },
        ],
        checks: [
          {
            type: 'agree',
            name: 'c',
            measure: 'attempts',
            if_true: null,
            if_false: 'They differ.',
            if_unknown: null,
          },
        ],
      }),
    ).toEqual([
      { says: 'Yes.', when: { name: 'p', is: 'true' } },
      { says: 'They differ.', when: { name: 'c', is: 'false' } },
    ]);
  });
});
