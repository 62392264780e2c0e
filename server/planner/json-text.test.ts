import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pieces } from '../../test/openai-server/index.ts';
import { jsonText } from './json-text.ts';

const through = (text: string, size = text.length): string => {
  const filter = jsonText();
  return pieces(text, size)
    .map((piece) => filter.push(piece))
    .join('');
};

describe('jsonText', () => {
  const plan = '{"a":"} \\" ] {","b":[{"c":1}],"d":"```"}';
  it.each([
    ['alone', plan],
    ['fenced', `\`\`\`json\n${plan}\n\`\`\``],
    ['introduced', `Here is the plan:\n\n${plan}\n\nI hope this helps {you}.`],
    ['after thinking', `<think>maybe {"a": 1}?</think>\n${plan}`],
    ['after a byte order mark', `\ufeff ${plan}`],
    ['twice', `${plan}\n${plan}`],
  ])('%s, in pieces of every size', (_, text) => {
    for (const size of [1, 2, 3, 7, text.length]) expect(through(text, size)).toBe(plan);
  });

  it('passes an object on in the same pieces, up to where it is cut', () => {
    const filter = jsonText();
    expect(filter.push('{"a":')).toBe('{"a":');
    expect(filter.push('"b')).toBe('"b');
  });

  it('gives any object unchanged, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 9 }),
        (value, size) => {
          const text = JSON.stringify(value);
          expect(through(`  ${text} tail`, size)).toBe(text);
        },
      ),
    );
  });

  it('gives nothing for short prose, and lets long prose through to be refused', () => {
    expect(through('I cannot answer that.')).toBe('');
    expect(through('x'.repeat(10_000), 100).length).toBeGreaterThan(5_000);
  });

  it('is linear', () => {
    const filter = jsonText();
    const started = performance.now();
    filter.push('{"a":"');
    for (let i = 0; i < 200_000; i++) filter.push('xxxxxxxxxx');
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
