import { parse as parsePartial } from 'partial-json';
import { createScanner } from '../server/answer/scanner.ts';
import { median, type Result } from './result.ts';

/** Most times the whole text may cost of what one JSON.parse of it costs. */
const AIM = 4;
/** Ten times the text may cost at most this many times the time: linear, with a little room for noise. */
const LINEAR_AIM = 12;
const SIZES = [
  { label: '6 KB', chars: 6_000, rounds: 25, repeats: 40 },
  { label: '200 KB', chars: 200_000, rounds: 25, repeats: 3 },
  { label: '2 MB', chars: 2_000_000, rounds: 9, repeats: 1 },
] as const;
const DELTAS = [4, 20] as const;
/** partial-json reads the whole text again for each delta, so only sizes it finishes in seconds. */
const PARTIAL = [
  { label: '6 KB', chars: 6_000, delta: 20 },
  { label: '24 KB', chars: 24_000, delta: 20 },
] as const;

const block = (n: number): unknown =>
  n % 3 === 0
    ? {
        type: 'note',
        title: `Note ${n}: what the record says`,
        body: [
          {
            says: `Feature {feature:${n}} took {time_${n}}, "counted" from the log [E${n % 9}]; caf\u00e9, \ud83d\ude80 and C:\\tmp.`,
            when: { name: 'premise', is: n % 2 === 0 ? 'true' : 'false' },
          },
        ],
        actions: [{ label: 'Show the log', request: `Show the log of feature ${n}` }],
      }
    : {
        type: 'chart',
        title: `Build time by category, part ${n}`,
        measures: [{ measure: 'build_time', source: 'counted' }],
        by: 'category',
        split: null,
        draw: 'bar',
        order: 'largest',
        size: 'some',
        scope: 'run',
        where: [{ type: 'in', dim: 'feature', not: false, any_of: [String(n), String(n + 1)] }],
        actions: [],
      };

/** A valid plan of about this many characters. */
export function planText(chars: number): string {
  const blocks: string[] = [];
  for (let n = 0, length = 200; length < chars; n++) {
    const text = JSON.stringify(block(n));
    blocks.push(text);
    length += text.length + 1;
  }
  return `{"about":{"feature":null,"scope":[]},"facts":[],"premises":[],"checks":[],"explanation":[],"blocks":[${blocks.join(',')}],"followUps":["a","b","c"]}`;
}

/** The text in pieces of `size`, each a string of its own as it would come off a socket. */
function pieces(text: string, size: number): string[] {
  const list: string[] = [];
  for (let i = 0; i < text.length; i += size) {
    const piece = text.slice(i, i + size);
    const encoding = /^[\0-\xff]*$/.test(piece) ? 'latin1' : 'utf16le';
    list.push(Buffer.from(piece, encoding).toString(encoding));
  }
  return list;
}

/** CPU milliseconds of one call, all threads of this process. */
function cpu(work: () => void, repeats: number): number {
  const before = process.cpuUsage();
  for (let i = 0; i < repeats; i++) work();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / 1000 / repeats;
}

function scan(deltas: readonly string[], maxLength: number): number {
  const scanner = createScanner({ maxLength, maxBlocks: Number.POSITIVE_INFINITY });
  let blocks = 0;
  for (const delta of deltas) {
    const events = scanner.push(delta);
    for (let i = 0; i < events.length; i++) if (events[i]?.kind === 'block') blocks++;
  }
  scanner.end();
  return blocks;
}

interface Comparison {
  first: number;
  second: number;
  /** Median of the quotients of the rounds. */
  ratio: number;
}

/** CPU of both, taken in turns, so that a machine that is slow for a while is slow for both. */
function compare(first: () => void, second: () => void, rounds: number, repeats: number): Comparison {
  const times: { first: number; second: number }[] = [];
  // Both are compiled before anything is measured.
  for (let i = 0; i < repeats * 3; i++) {
    first();
    second();
  }
  for (let round = 0; round < rounds; round++)
    times.push({ first: cpu(first, repeats), second: cpu(second, repeats) });
  return {
    first: median(times.map((time) => time.first)),
    second: median(times.map((time) => time.second)),
    ratio: median(times.map((time) => time.first / time.second)),
  };
}

/**
 * CPU of the block scanner against one JSON.parse of the same text, its growth with the text, and against a parser
 * that reads the whole text again for each delta. All in one run, as ratios. Takes about ten seconds.
 */
export async function run(): Promise<Result[]> {
  const results: Result[] = [];
  const ms = (value: number): string => `${value.toPrecision(3)} ms`;
  for (const delta of DELTAS) {
    let before: number | null = null;
    for (const size of SIZES) {
      const text = planText(size.chars);
      const deltas = pieces(text, delta);
      const {
        first: scanner,
        second: whole,
        ratio,
      } = compare(
        () => scan(deltas, text.length),
        () => JSON.parse(text),
        size.rounds,
        size.repeats,
      );
      results.push({
        name: `scanner, ${size.label} in ${delta}-character deltas`,
        value: ratio,
        unit: 'times JSON.parse',
        aim: AIM,
        detail: `${ms(scanner)} against ${ms(whole)}`,
      });
      if (size.label === '2 MB' && before !== null) {
        results.push({
          name: `scanner, ten times the text in ${delta}-character deltas`,
          value: scanner / before,
          unit: 'times the time',
          aim: LINEAR_AIM,
          detail: `${ms(scanner)} for 2 MB against ${ms(before)} for 200 KB`,
        });
      }
      before = scanner;
    }
  }
  for (const { label, chars, delta } of PARTIAL) {
    const text = planText(chars);
    const deltas = pieces(text, delta);
    const {
      first: partial,
      second: scanner,
      ratio,
    } = compare(
      () => {
        let all = '';
        for (const piece of deltas) {
          all += piece;
          parsePartial(all);
        }
      },
      () => scan(deltas, text.length),
      3,
      1,
    );
    results.push({
      name: `partial-json, ${label} in ${delta}-character deltas`,
      value: ratio,
      unit: 'times the scanner',
      aim: null,
      detail: `${ms(partial)} against ${ms(scanner)}`,
    });
  }
  return results;
}
