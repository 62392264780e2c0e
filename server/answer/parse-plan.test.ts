import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { example } from '../planner/example.ts';
import { testProfile } from '../planner/test-profile.ts';
import { parsePlan, readWholePlan } from './parse-plan.ts';
import { createScanner } from './scanner.ts';
import type { EvidenceItem } from './types.ts';

const text = JSON.stringify(example);
const evidence: EvidenceItem[] = [
  { id: 'E1', cite: { source: 'm', label: 'metrics.json', line: 3, basis: 'claimed' }, text: 'x' },
];
const whole = (given: string) =>
  readWholePlan(given, testProfile, 'Why did feature 7 take two attempts?', evidence);
const code = (given: string): string => {
  const read = parsePlan(given);
  return read.ok ? 'ok' : read.code;
};
const deep = (n: number): string => `${'['.repeat(n)}${']'.repeat(n)}`;
const withBlock = (block: string): string =>
  `{"about":{"feature":null,"scope":[]},"facts":[],"premises":[],"checks":[],"explanation":[],"blocks":[${block},{"type":"attempts","title":"x","feature":"7","actions":[]}],"followUps":[]}`;

describe('strict parse', () => {
  it('takes a plan in its shape, with or without words around it', () => {
    expect(parsePlan(text)).toEqual({ ok: true, value: example, notes: [] });
    expect(parsePlan(`\ufeffHere {it} is:\n\`\`\`json\n${text}\n\`\`\`\n{"more":1}`)).toMatchObject({
      ok: true,
    });
  });

  it('says what is wrong with a text that is none', () => {
    expect(code('')).toBe('plan_empty');
    expect(code('no plan')).toBe('plan_invalid');
    expect(code('{}')).toBe('plan_invalid');
    expect(code('[1,2]')).toBe('plan_invalid');
    expect(code(text.slice(0, -1))).toBe('cut_short');
    expect(code('{"facts":"unclosed')).toBe('cut_short');
    expect(code(text.replace('"facts":', '"facts" '))).toBe('plan_invalid');
    expect(code(text.replace('"facts":', '"facts":[],"f\\u0061cts":'))).toBe('plan_invalid');
    expect(code(text.replace('"facts":', '"extra":1,"facts":'))).toBe('plan_invalid');
    expect(code(`{"a":"${'x'.repeat(LIMITS.planBytes)}"}`)).toBe('plan_too_large');
    expect(code(withBlock(`{"x":${deep(10_000)}}`))).toBe('block_too_deep');
    expect(code('{"a":'.repeat(10_000))).toBe('cut_short');
  });

  it('touches no prototype', () => {
    expect(code(text.replace('{', '{"__proto__":{"polluted":1},'))).toBe('plan_invalid');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('reading the whole', () => {
  it('gives every part of a plan that holds', () => {
    const { blocks, explanation, followUps, facts } = example;
    expect(whole(text)).toMatchObject({
      code: null,
      refused: [],
      blocks: blocks.map((block, index) => ({ index, block, notes: [] })),
      explanation,
      followUps,
      preamble: { facts },
    });
  });

  it('refuses one block and reads the others', () => {
    for (const [block, reason] of [
      ['{"type":"iframe","title":"x"}', 'block_unknown'],
      ['{"type":"chart","title":"x"}', 'block_invalid'],
      [`{"type":"note","title":"x","x":${deep(5_000)}}`, 'block_too_deep'],
      ['null', 'block_invalid'],
    ] as const)
      expect(whole(withBlock(block))).toMatchObject({
        code: null,
        refused: [{ index: 0, code: reason }],
        blocks: [{ index: 1 }],
      });
  });

  it('reads nothing of a text that is cut, and repairs nothing', () => {
    expect(whole(text.slice(0, -2))).toMatchObject({ code: 'cut_short', blocks: [], refused: [] });
    expect(
      whole(text.replace('"blocks":[', '"blocks":{"a":[').replace('],"followUps"', ']},"followUps"')),
    ).toMatchObject({ code: 'plan_invalid' });
  });

  it('sees the blocks the scanner sees, wherever the text is mutated', () => {
    const edit = fc.tuple(
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('', '{', '}', '[', ']', '"', '\\', ',', ':', 'x'),
    );
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 3 }), (edits) => {
        const mutated = edits.reduce((current, [at, drop, add]) => {
          const i = at % (current.length + 1);
          return current.slice(0, i) + add + current.slice(i + drop);
        }, text);
        const scanner = createScanner();
        const events = [...scanner.push(mutated), ...scanner.end()];
        const plan = whole(mutated);
        const ended = events.find((event) => event.kind === 'problem' && event.index === null);
        if (plan.code !== null) return;
        expect(ended).toBeUndefined();
        const seen = [...plan.blocks, ...plan.refused].map(({ index }) => index).sort((a, b) => a - b);
        expect(
          events.flatMap((event) =>
            event.kind === 'block' || (event.kind === 'problem' && event.index !== null) ? [event.index] : [],
          ),
        ).toEqual(seen);
      }),
      { numRuns: 400 },
    );
  });
});
