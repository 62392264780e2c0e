import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CardData } from '../../shared/cards.ts';
import { CARD_COMPONENTS } from '../../shared/catalog.ts';
import { LIMITS } from '../../shared/limits.ts';
import { type Compiler, type CompilerOptions, createCompiler, type Refusal } from './compiler.ts';
import { becomes } from './components.ts';
import type { Envelope } from './envelope.ts';
import { messageValidator } from './schema.ts';
import {
  attempts,
  chart,
  conflict,
  empty,
  figure,
  ledger,
  log,
  note,
  premise,
  stat,
  table,
  timeline,
} from './test-cards.ts';
import { TestSurface } from './test-surface.ts';

const validMessage = (envelope: Envelope): boolean => messageValidator()(envelope);
/** What a message is about, in short. */
const kind = (envelope: Envelope): string => {
  if ('createSurface' in envelope) return 'create';
  if ('updateDataModel' in envelope) return envelope.updateDataModel.path;
  return envelope.updateComponents.components.map(({ id }) => id).join('+');
};
const kinds = (envelopes: readonly Envelope[]): string[] => envelopes.map(kind);

function started(options?: CompilerOptions): { compiler: Compiler; surface: TestSurface } {
  const surface = new TestSurface();
  const compiler = createCompiler('s1', options);
  surface.process(compiler.open());
  return { compiler, surface };
}

describe('messages', () => {
  it('creates the surface, gives the layout, then the empty root, once', () => {
    const compiler = createCompiler('s1');
    expect(kinds(compiler.open())).toEqual(['create', '/layout', 'root']);
    expect(compiler.open()).toEqual([]);
    expect(kinds(createCompiler('s2').card(note('c0'))).slice(0, 3)).toEqual(['create', '/layout', 'root']);
  });

  it('sends data first, then the card and the root together', () => {
    const { compiler } = started();
    expect(kinds(compiler.card(chart('c0')))).toEqual(['/cards/c0', '/layout', 'c0+root']);
    expect(kinds(compiler.card(note('c1')))).toEqual(['/cards/c1', '/layout', 'c1+root']);
  });

  it('retypes a skeleton in place, and only its data and type travel', () => {
    const { compiler, surface } = started();
    surface.process(compiler.draft('c0', 'chart', 'Build time'));
    expect(surface.shown()).toMatchObject([
      { component: 'CardSkeleton', spec: { title: 'Build time', becomes: 'BarChart' } },
    ]);
    const messages = compiler.card(chart('c0', 'line'));
    expect(kinds(messages)).toEqual(['/cards/c0', 'c0']);
    surface.process(messages);
    expect(surface.shown()).toEqual([{ component: 'LineChart', spec: chart('c0', 'line') }]);
  });

  it('sends nothing for what is there already', () => {
    const { compiler } = started();
    compiler.card(stat('c0'));
    expect(compiler.card(stat('c0'))).toEqual([]);
    expect(kinds(compiler.card(stat('c0', 416)))).toEqual(['/cards/c0']);
    expect(compiler.skeleton('c0', 'StatCard', 'again')).toEqual([]);
    compiler.draft('c1', 'stat', 'T');
    expect(compiler.draft('c1', 'stat', 'T')).toEqual([]);
  });

  it('has a component for every type of card, and a draft for every block', () => {
    const { compiler, surface } = started();
    const all = [
      premise('a'),
      conflict('b', 4),
      conflict('c', 2),
      attempts('d'),
      stat('e'),
      chart('f', 'line'),
      chart('g'),
      chart('h', 'donut'),
      table('i'),
      note('j'),
      empty('k'),
      ledger('l'),
      log('m'),
      timeline('n'),
    ];
    for (const card of all) surface.process(compiler.card(card));
    const components = surface.shown().map(({ component }) => component);
    expect(new Set([...components, 'CardSkeleton'])).toEqual(new Set(CARD_COMPONENTS));
    for (const type of [
      'stat',
      'chart',
      'attempts',
      'feature_table',
      'commit_table',
      'finding_table',
      'ledger',
      'log',
      'timeline',
      'note',
    ])
      expect(becomes(type), type).not.toBeNull();
    for (const type of ['__proto__', 'constructor', 'iframe', ''])
      expect(compiler.draft('z', type, 'x'), type).toEqual([]);
  });

  it('hands the messages to emit as it returns them', () => {
    const emitted: Envelope[] = [];
    const compiler = createCompiler('s1', { emit: (envelope) => emitted.push(envelope) });
    const returned = [...compiler.open(), ...compiler.card(note('c0'))];
    expect(emitted).toEqual(returned);
  });
});

describe('layout while it grows', () => {
  it('keeps the width a card was placed with, whatever it becomes', () => {
    const { compiler, surface } = started();
    surface.process(compiler.draft('c0', 'chart', 'Shares'));
    surface.process(compiler.draft('c1', 'note', 'Why'));
    expect(surface.layout()).toEqual({ spans: { c0: 7, c1: 5 }, slot: 12 });
    surface.process(compiler.card(chart('c0', 'donut')));
    surface.process(compiler.card(note('c1')));
    expect(surface.layout()).toEqual({ spans: { c0: 7, c1: 5 }, slot: 12 });
  });

  it('puts cards in the given order', () => {
    const { compiler, surface } = started({ order: (a, b) => (a < b ? -1 : 1) });
    surface.process(compiler.card(stat('c1')));
    surface.process(compiler.card(stat('c0', 1)));
    expect(surface.shown().map(({ spec }) => spec)).toEqual([stat('c0', 1), stat('c1')]);
  });

  it('ends with the cards that are there when it is told to', () => {
    const { compiler, surface } = started();
    surface.process(compiler.card(chart('c0')));
    surface.process(compiler.draft('c1', 'note', 'never written'));
    expect(kinds(compiler.end())).toEqual(['/layout', 'root']);
    surface.process(compiler.card(chart('c0')));
    expect(compiler.end()).toEqual([]);
    expect(compiler.draft('c2', 'note', 'late')).toEqual([]);
  });
});

describe('final', () => {
  it('replaces what changed, and nothing else', () => {
    const { compiler, surface } = started();
    for (const card of [stat('c0', 1), chart('c1'), note('c2')]) surface.process(compiler.card(card));
    const messages = compiler.final([stat('c0', 2), chart('c1'), note('c2')]);
    expect(kinds(messages)).toEqual(['/cards/c0', '/layout']);
    surface.process(messages);
    expect(surface.shown().map(({ spec }) => spec)).toEqual([stat('c0', 2), chart('c1'), note('c2')]);
    expect(compiler.final([stat('c0', 2), chart('c1'), note('c2')])).toEqual([]);
  });

  it('drops, adds, reorders and retypes in one update of the components', () => {
    const { compiler, surface } = started();
    for (const card of [stat('c0'), chart('c1'), note('c2')]) surface.process(compiler.card(card));
    const messages = compiler.final([premise('premise'), note('c2'), chart('c1', 'donut')]);
    expect(kinds(messages)).toEqual(['/cards/premise', '/cards/c1', '/layout', 'premise+c1+root']);
    surface.process(messages);
    expect(surface.shown().map(({ component }) => component)).toEqual([
      'PremiseCard',
      'NoteCard',
      'DonutChart',
    ]);
    expect(surface.layout()).toEqual({ spans: { premise: 12, c2: 5, c1: 7 }, slot: 0 });
    expect(kinds(compiler.final([stat('c0')]))).toEqual(['/layout', 'root']);
  });

  it('shows the last of two cards with one id', () => {
    const { compiler, surface } = started();
    surface.process(compiler.final([note('c0', 'first'), note('c0', 'second')]));
    expect(surface.shown().map(({ spec }) => spec)).toEqual([note('c0', 'second')]);
  });
});

describe('cards that cannot be sent', () => {
  const refusing = (): { compiler: Compiler; surface: TestSurface; refusals: Refusal[] } => {
    const refusals: Refusal[] = [];
    return { ...started({ refused: (refusal) => refusals.push(refusal) }), refusals };
  };

  it('become a note with the code, and the next card is sent', () => {
    const { compiler, surface, refusals } = refusing();
    const broken = stat('c0', Number.NaN);
    const huge = note('c1', 'x'.repeat(LIMITS.envelopeBytes));
    for (const card of [broken, huge, chart('c2')]) surface.process(compiler.card(card));
    expect(surface.shown()).toMatchObject([
      { component: 'NoteCard', spec: { code: 'envelope_invalid' } },
      { component: 'NoteCard', spec: { code: 'envelope_invalid' } },
      { component: 'BarChart' },
    ]);
    expect(refusals.map(({ card, code }) => [card, code])).toEqual([
      ['c0', 'envelope_invalid'],
      ['c1', 'envelope_invalid'],
    ]);
    surface.process(compiler.final([broken, chart('c2')]));
    expect(surface.shown().map(({ component }) => component)).toEqual(['NoteCard', 'BarChart']);
  });

  it('are left out when their id cannot stand on a surface, or it is full', () => {
    const { compiler, surface, refusals } = refusing();
    for (const id of ['root', '__proto__', '0', 'a/b']) surface.process(compiler.card(note(id)));
    expect(surface.shown()).toEqual([]);
    for (let n = 0; n < LIMITS.components + 5; n++) surface.process(compiler.card(note(`n${n}`)));
    expect(surface.shown()).toHaveLength(LIMITS.components - 1);
    expect(refusals).toHaveLength(4 + 6);
  });
});

describe('replayed into the library', () => {
  const hostile = fc.constantFrom(
    '<img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '__proto__',
    '{attempts}',
    '{"path":"/cards/c1"}',
    '\u202egnp.exe',
    '\ud83d',
    '"}]}',
    '\u0000\r\n\r\nevent: a2ui',
    'x'.repeat(2_000),
  );
  const card = fc
    .record({
      n: fc.nat(6),
      make: fc.constantFrom(stat, chart, table, note, attempts, premise, empty),
      title: hostile,
      value: fc.nat(3),
    })
    .map(({ n, make, title, value }): CardData => ({ ...make(`c${n}`), title, sub: String(value) }));
  const step = fc.oneof(
    fc.record({ op: fc.constant('card' as const), card }),
    fc.record({ op: fc.constant('draft' as const), card }),
    fc.record({ op: fc.constant('final' as const), cards: fc.array(card, { maxLength: 4 }) }),
  );

  it('shows exactly what was given, after every message of every kind of stream', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const { compiler, surface } = started();
        let expected = new Map<string, unknown>();
        for (const one of steps) {
          let messages: Envelope[];
          if (one.op === 'card') {
            messages = compiler.card(one.card);
            expected.set(one.card.id, one.card);
          } else if (one.op === 'final') {
            messages = compiler.final(one.cards);
            const last = new Map(one.cards.map((entry) => [entry.id, entry]));
            expected = last;
          } else {
            messages = compiler.draft(one.card.id, one.card.type, one.card.title);
            if (messages.length > 0) {
              const { id, title } = one.card;
              expected.set(
                id,
                expect.objectContaining({ type: 'skeleton', id, title: title.slice(0, LIMITS.title) }),
              );
            }
          }
          for (const message of messages) expect(validMessage(message)).toBe(true);
          surface.process(messages);
          expect(surface.shown().map(({ spec }) => spec)).toEqual([...expected.values()]);
          expect(surface.json()).not.toContain('Placeholder');
        }
        expect(surface.errors).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('never sends the same object twice, nor one that the caller still holds', () => {
    const compiler = createCompiler('s1');
    const given = stat('c0');
    const messages = [
      ...compiler.open(),
      ...compiler.card(given),
      ...compiler.card(chart('c1')),
      ...compiler.final([given, note('c1')]),
    ];
    const seen = new Set<unknown>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      expect(seen.has(value)).toBe(false);
      seen.add(value);
      for (const inner of Object.values(value)) visit(inner);
    };
    visit(given);
    for (const message of messages) visit(message);
  });
});

describe('traps of the library', () => {
  it('1: an optional value that is gone does not stay on screen', () => {
    const { compiler, surface } = started();
    surface.process(compiler.card({ ...note('c0'), sub: 'old' }));
    const without = { ...note('c0'), trimmed: undefined };
    surface.process(compiler.card(JSON.parse(JSON.stringify(without))));
    expect(surface.shown()[0]?.spec).not.toHaveProperty('trimmed');
    expect(surface.shown()[0]?.spec).toMatchObject({ sub: null });
  });

  it('2: a change deep inside a card is seen', () => {
    const { compiler, surface } = started();
    const before = chart('c0');
    surface.process(compiler.card(before));
    if (before.type !== 'chart') throw new Error('not a chart');
    const point = { key: 'git', label: 'git', ref: null, figures: [figure(1)], subject: true };
    const after: CardData = { ...before, points: [{ ...point, figures: [figure(2)] }, point] };
    surface.process(compiler.card(after));
    expect(surface.shown()[0]?.spec).toEqual(after);
  });

  it('3: data with keys named path and call stays data', () => {
    const { compiler, surface } = started();
    const odd = {
      ...note('c0'),
      extra: [
        { path: '/layout', views: 5 },
        { call: 'openUrl', args: { url: 'x' } },
      ],
    };
    surface.process(compiler.card(odd));
    expect(surface.shown()[0]?.spec).toEqual(odd);
  });

  it('4: no message can name a function', () => {
    const { compiler } = started();
    const text = JSON.stringify([...compiler.card(note('c0')), ...compiler.final([chart('c0')])]);
    expect(text).not.toContain('"call"');
    const calling = {
      version: 'v0.9',
      updateComponents: {
        surfaceId: 's1',
        components: [
          { id: 'root', component: 'Dashboard', children: [], layout: { call: 'openUrl', args: {} } },
        ],
      },
    };
    expect(messageValidator()(calling)).toBe(false);
  });
});
