import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { createScanner, type ScannerOptions } from './scanner.ts';
import type { ScanEvent } from './types.ts';

function scan(pieces: readonly string[], options?: ScannerOptions): ScanEvent[] {
  const scanner = createScanner(options);
  const events = pieces.flatMap((piece) => [...scanner.push(piece)]);
  return [...events, ...scanner.end()];
}
const whole = (text: string): ScanEvent[] => scan([text]);
const units = (text: string): string[] => text.split('');
const problems = (events: readonly ScanEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'problem' ? [`${event.code}@${event.index}`] : []));
const blocksOf = (events: readonly ScanEvent[]): unknown[] =>
  events.flatMap((event) => (event.kind === 'block' ? [event.value] : []));

const plan = (blocks: string, rest = '"followUps":["a"]'): string =>
  `{"about":{"feature":"28","scope":[]},"facts":[],"blocks":[${blocks}],${rest}}`;
const note = (n: number): string => `{"type":"note","title":"T${n}","body":[],"actions":[]}`;

const json = fc.json({ maxDepth: 4 });
const planText = fc
  .record({
    facts: json,
    blocks: fc.array(
      fc.record({
        title: fc.string({ unit: 'binary' }),
        type: fc.constantFrom('note', 'stat', 'nope'),
        rest: json,
      }),
      { maxLength: 5 },
    ),
    after: fc.string({ unit: 'binary' }),
  })
  .map(({ facts, blocks, after }) => {
    const elements = blocks.map(
      ({ title, type, rest }) =>
        `{"rest":${rest},"title":${JSON.stringify(title)},"type":"${type}","inner":{"type":"x","title":"y"}}`,
    );
    return `{"facts":${facts}, "extra":${facts},\n"blocks" : [ ${elements.join(' , ')} ],"explanation":${JSON.stringify(after)}}`;
  });

/** The text cut at the given points. */
function cut(text: string, points: readonly number[]): string[] {
  const sorted = [...new Set(points.map((point) => point % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, i) => text.slice(from, sorted[i] ?? text.length));
}

describe('what a plan gives', () => {
  it('hands on sections, drafts and blocks in the order of writing', () => {
    expect(whole(plan(`${note(0)},${note(1)}`))).toEqual([
      { kind: 'section', key: 'about', value: { feature: '28', scope: [] } },
      { kind: 'section', key: 'facts', value: [] },
      { kind: 'draft', index: 0, type: 'note', title: 'T0' },
      { kind: 'block', index: 0, value: { type: 'note', title: 'T0', body: [], actions: [] } },
      { kind: 'draft', index: 1, type: 'note', title: 'T1' },
      { kind: 'block', index: 1, value: { type: 'note', title: 'T1', body: [], actions: [] } },
      { kind: 'section', key: 'followUps', value: ['a'] },
    ]);
  });

  it('gives a block in the delta that holds its closing brace', () => {
    const scanner = createScanner();
    const text = plan(note(0));
    const close = text.indexOf(note(0)) + note(0).length;
    expect(scanner.push(text.slice(0, close - 1)).filter((event) => event.kind === 'block')).toEqual([]);
    expect(scanner.push(text.slice(close - 1, close)).map((event) => event.kind)).toEqual(['block']);
  });

  it('gives a draft as soon as type and title are complete, in any order, and only once', () => {
    for (const [head, tail] of [
      ['{"type":"stat","title":"Time"', ',"figures":[]}'],
      ['{"title":"Time","x":{"type":"no"},"type":"stat"', ',"title":"Other"}'],
      ['{"t\\u0069tle":"Ti\\u006de","type":"stat"', '}'],
    ] as const) {
      const scanner = createScanner();
      const before = units(`{"blocks":[${head}`).flatMap((unit) => [...scanner.push(unit)]);
      expect(before).toEqual([{ kind: 'draft', index: 0, type: 'stat', title: 'Time' }]);
      expect(scanner.push(tail).map((event) => event.kind)).toEqual(['block']);
    }
  });

  it('takes no draft from nested or non-string values', () => {
    const events = whole(plan('{"a":{"type":"x","title":"y"},"b":["type","title"],"type":1,"title":null}'));
    expect(events.filter((event) => event.kind === 'draft')).toEqual([]);
    expect(blocksOf(events)).toHaveLength(1);
  });

  it('passes over prose, fences and a byte-order mark before the plan, and anything after it', () => {
    const text = `\ufeffHere {is} the plan {x}:\n\`\`\`json\n${plan(note(0))}\n\`\`\`\n{"blocks":[${note(1)}]} }]`;
    expect(whole(text)).toEqual(whole(plan(note(0))));
    expect(scan(units(text))).toEqual(whole(plan(note(0))));
  });

  it('keeps no section it does not know', () => {
    const text = `{"__proto__":{"polluted":1},"constructor":[1],"other":"x","n":-1.5e3,"blocks":[]}`;
    expect(whole(text)).toEqual([]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('hands on prototype keys inside a block as its own keys', () => {
    const [value] = blocksOf(whole(plan('{"__proto__":{"polluted":1},"type":"note","title":"x"}')));
    expect(Object.keys(Object(value))).toEqual(['__proto__', 'type', 'title']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('takes the last of duplicate keys in a block, as JSON.parse does', () => {
    expect(blocksOf(whole(plan('{"type":"note","type":"stat","title":"x"}')))).toEqual([
      { type: 'stat', title: 'x' },
    ]);
  });

  it('finds no block in a document that is one bare block', () => {
    expect(whole(note(0))).toEqual([]);
  });
});

describe('cut anywhere', () => {
  it('gives the same events for any split as for one piece', () => {
    fc.assert(
      fc.property(planText, fc.array(fc.nat(5_000), { maxLength: 30 }), (text, points) => {
        expect(scan(cut(text, points))).toEqual(whole(text));
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(planText, (text) => {
        expect(scan(units(text))).toEqual(whole(text));
      }),
      { numRuns: 100 },
    );
  });

  it('gives what JSON.parse of the whole gives', () => {
    fc.assert(
      fc.property(planText, (text) => {
        const events = whole(text);
        const parsed: unknown = JSON.parse(text);
        expect(blocksOf(events)).toEqual(Reflect.get(Object(parsed), 'blocks'));
        expect(problems(events)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('never gives a block, a section or a draft that the whole text does not have', () => {
    fc.assert(
      fc.property(planText, fc.nat(), (text, at) => {
        const length = at % text.length;
        const all = whole(text);
        const part = scan([text.slice(0, length)]);
        const known = part.filter((event) => event.kind !== 'problem');
        expect(known).toEqual(all.slice(0, known.length));
        expect(part).toHaveLength(known.length + 1);
      }),
      { numRuns: 300 },
    );
  });

  it('makes no value of a number, word, string or escape that is cut', () => {
    for (const tail of [
      '"facts":12',
      '"facts":tru',
      '"facts":"a',
      '"facts":"a\\',
      '"facts":"a\\u00',
      '"facts":[1,2',
    ])
      expect(scan([`{${tail}`])).toEqual([{ kind: 'problem', code: 'cut_short', index: null }]);
    expect(scan(['{"facts":1', '2,"blocks":[]}'])).toEqual([{ kind: 'section', key: 'facts', value: 12 }]);
  });

  it('says once that the text was cut short, and gives no unfinished block', () => {
    const text = plan(`${note(0)},${note(1)}`);
    const scanner = createScanner();
    const events = [
      ...scanner.push(text.slice(0, text.indexOf('T1') + 2)),
      ...scanner.end(),
      ...scanner.end(),
    ];
    expect(blocksOf(events)).toHaveLength(1);
    expect(problems(events)).toEqual(['cut_short@null']);
    expect(scanner.push('}')).toEqual([]);
  });
});

describe('surrogate halves', () => {
  it('joins a pair that two deltas share', () => {
    const text = plan('{"type":"note","title":"go 🚀 now"}');
    expect(scan(units(text))).toEqual(whole(text));
    expect(blocksOf(scan(units(text)))).toEqual([{ type: 'note', title: 'go 🚀 now' }]);
  });

  it('replaces a lone half, raw or escaped, in drafts and values', () => {
    for (const half of ['\ud83d', '\\ud83d', '\ude80', '\\ude80'])
      expect(whole(plan(`{"type":"note","title":"a${half}"}`)).slice(2, 4)).toEqual([
        { kind: 'draft', index: 0, type: 'note', title: 'a\ufffd' },
        { kind: 'block', index: 0, value: { type: 'note', title: 'a\ufffd' } },
      ]);
    expect(blocksOf(whole(plan('{"title":"\\ud83d\\ude80","x":"\\\\ud83d"}')))).toEqual([
      { title: '🚀', x: '\\ud83d' },
    ]);
  });
});

describe('broken text', () => {
  it('loses one block that is not JSON, and goes on', () => {
    for (const bad of [
      '{"type":"note","title":"x",}',
      '{"type":note}',
      '{"type":"stat","figures":[1,2}',
      '{"title":"a\u0000b"}',
      '{"title":"a\\x"}',
      '{"a":[{"b":1]}',
      '12',
      'null',
      '"text"',
      '[{"type":"note"}]',
    ]) {
      const events = whole(plan(`${bad},${note(1)}`));
      expect(problems(events), bad).toEqual(['block_invalid@0']);
      expect(blocksOf(events), bad).toEqual([JSON.parse(note(1))]);
      expect(events.at(-1), bad).toEqual({ kind: 'section', key: 'followUps', value: ['a'] });
    }
  });

  it('takes a `]` inside an unfinished block as the end of the blocks', () => {
    const events = whole(`{"blocks":[${note(0)},{"type":"note"],"followUps":["a"]}`);
    expect(problems(events)).toEqual(['block_invalid@1']);
    expect(events.at(-1)).toEqual({ kind: 'section', key: 'followUps', value: ['a'] });
  });

  it('gives up where the structure is lost, and keeps what came before', () => {
    for (const tail of ['}', '{', ':', ',,', ',]', ',}', '"', 'x']) {
      const events = whole(`{"blocks":[${note(0)}${tail}${note(1)}]}`);
      expect(problems(events), tail).toEqual(['plan_invalid@null']);
      expect(blocksOf(events), tail).toHaveLength(1);
    }
    for (const text of [
      '{"blocks":null}',
      '{"blocks":{}}',
      '{"facts":[1,}',
      '{"facts":}',
      '{"facts":01x}',
      '{"facts" []}',
      '{"a":1 "b":2}',
      '{"a":1,}',
      '{"blocks":[],"blocks":[]}',
      `{"blocks":[],"f\\u0061cts":[],"facts":[]}`,
      'no plan at all',
    ])
      expect(problems(whole(text)), text).toEqual(['plan_invalid@null']);
  });

  it('tells an empty text from one without a plan', () => {
    expect(whole('')).toEqual([{ kind: 'problem', code: 'plan_empty', index: null }]);
    expect(whole(' \n')).toEqual([{ kind: 'problem', code: 'plan_empty', index: null }]);
    expect(problems(whole('{}'))).toEqual(['plan_invalid@null']);
  });

  it('never throws and stays bounded on mutated text', () => {
    const edit = fc.tuple(
      fc.nat(),
      fc.nat(4),
      fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '\u0000', '\ud83d', 'x', ''),
    );
    fc.assert(
      fc.property(
        planText,
        fc.array(edit, { maxLength: 8 }),
        fc.array(fc.nat(5_000), { maxLength: 8 }),
        (text, edits, points) => {
          const mutated = edits.reduce((current, [at, drop, add]) => {
            const i = at % (current.length + 1);
            return current.slice(0, i) + add + current.slice(i + drop);
          }, text);
          const events = scan(cut(mutated, points));
          expect(events).toEqual(whole(mutated));
          expect(events.length).toBeLessThanOrEqual(3 * LIMITS.blocksSeen + 8);
          for (const event of events)
            if (event.kind === 'block' || event.kind === 'section') expect(event.value).not.toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('bounds', () => {
  it('stops at the cap of a plan, at the same character for any split', () => {
    const text = plan(`${note(0)},{"type":"note","title":"${'x'.repeat(5_000_000)}"}`);
    const events = whole(text);
    expect(problems(events)).toEqual(['plan_too_large@null']);
    expect(blocksOf(events)).toHaveLength(1);
    expect(scan(cut(text, [3, 60_000, 70_000, 1_000_000]))).toEqual(events);

    const exact = plan(note(0));
    expect(problems(scan(units(exact), { maxLength: exact.length }))).toEqual([]);
    expect(problems(scan(units(exact), { maxLength: exact.length - 1 }))).toEqual(['plan_too_large@null']);
  });

  it('does not grow while text comes after the cap', () => {
    const scanner = createScanner();
    scanner.push('{"blocks":[{"title":"');
    const chunk = 'y'.repeat(LIMITS.planBytes);
    const events = Array.from({ length: 50 }, () => scanner.push(chunk)).flat();
    expect(problems(events)).toEqual(['plan_too_large@null']);
    expect(scanner.end()).toEqual([]);
  });

  it('gives up a block that is nested too deep, once, and reads the others', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `{"type":"note","title":"deep","x":${open.repeat(10_000)}1${close.repeat(10_000)}}`;
      const events = whole(plan(`${deep},${note(1)}`, '"extra":[]'));
      expect(problems(events)).toEqual(['block_too_deep@0']);
      expect(blocksOf(events)).toEqual([JSON.parse(note(1))]);
    }
    const levels = (n: number): string => plan(`${'{"a":'.repeat(n)}1${'}'.repeat(n)}`);
    expect(problems(whole(levels(LIMITS.planDepth)))).toEqual([]);
    expect(problems(whole(levels(LIMITS.planDepth + 1)))).toEqual(['block_too_deep@0']);
  });

  it('refuses a section that is nested too deep, but passes over one it does not know', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    expect(problems(whole(`{"facts":${deep},"blocks":[${note(0)}]}`))).toEqual(['plan_invalid@null']);
    expect(blocksOf(whole(`{"other":${deep},"blocks":[${note(0)}]}`))).toHaveLength(1);
  });

  it('counts blocks past the limit without reading them, and still reads what follows', () => {
    const many = Array.from({ length: 40 }, (_, n) => note(n)).join(',');
    const events = whole(plan(many));
    expect(blocksOf(events)).toHaveLength(LIMITS.blocksSeen);
    expect(problems(events)).toEqual([`too_many_cards@${LIMITS.blocksSeen}`]);
    expect(events.at(-1)).toEqual({ kind: 'section', key: 'followUps', value: ['a'] });
  });
});
