import type { NamedPlanner } from '../server/answer/types.ts';
import { createApp } from '../server/app.ts';
import { createLog } from '../server/log.ts';
import { openRecord } from '../server/record/index.ts';
import { oneProject } from '../server/workspace/one.ts';
import { median, type Result } from './result.ts';

const ANSWERS = 40;
const WARM_UP = 10;
const BLOCKS = 6;
/** Pause before each block, so that one card's work never stands in the way of the next one's measure. */
const PAUSE_MS = 15;

const fact = {
  name: 'built',
  kind: 'value',
  measure: 'build_time',
  source: 'counted',
  by: null,
  scope: 'about',
  where: [],
};
const head = (facts: unknown[]): string =>
  `${JSON.stringify({ about: { feature: '28', scope: [] }, facts, premises: [], checks: [], explanation: [] }).slice(0, -1)},"blocks":[`;
const note = (n: number, says: string): string =>
  JSON.stringify({ type: 'note', title: `Note ${n}`, body: [{ says, when: null }], actions: [] });

/** A planner that writes one block at a time and notes when each one's closing brace left it. */
function pacedPlanner(facts: unknown[], says: string, closed: number[]): NamedPlanner {
  return {
    kind: 'builtin',
    name: 'Paced planner',
    model: null,
    plan: async function* () {
      yield head(facts);
      for (let n = 0; n < BLOCKS; n++) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        const text = `${n === 0 ? '' : ','}${note(n, says)}`;
        yield text.slice(0, -1);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        closed[n] = performance.now();
        yield text.slice(-1);
      }
      yield '],"followUps":["how did the run go?","what was skipped?","do the sources agree?"]}';
    },
  };
}

/** Milliseconds from the closing brace of each block to the arrival of its card's bytes at a client on the same machine. */
async function measure(record: string, facts: unknown[], says: string): Promise<number[]> {
  const closed: number[] = [];
  const handle = await openRecord({ root: record, database: ':memory:' });
  const app = await createApp({
    config: { host: '127.0.0.1', port: 0, hosts: [], token: null, trustLocal: true, web: '/nowhere' },
    logger: createLog({ level: 'silent', secrets: [] }),
    planner: pacedPlanner(facts, says, closed),
    projects: oneProject(handle),
  });
  const waits: number[] = [];
  try {
    const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
    for (let answer = 0; answer < WARM_UP + ANSWERS; answer++) {
      const response = await fetch(`${url}/api/ask`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ question: `tell me about it ${answer}` }),
      });
      if (!response.ok || response.body === null) throw new Error(`the answer began with ${response.status}`);
      const seen = new Set<string>();
      let rest = '';
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const now = performance.now();
        rest += chunk;
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const id = /"path":"\/cards\/c(\d)","value":\{[^\n]*"type":"note"/.exec(line)?.[1];
          if (id === undefined || seen.has(id)) continue;
          seen.add(id);
          const at = closed[Number(id)];
          if (at !== undefined && answer >= WARM_UP) waits.push(now - at);
        }
      }
    }
  } finally {
    await app.server.close();
    await handle.close();
  }
  return waits;
}

/**
 * Time from a block's closing brace to the bytes of its card at the client, through the whole server and a real connection.
 * @param record folder of the demo record
 */
export async function latency(record: string): Promise<Result[]> {
  const plain = await measure(record, [], 'Nothing here needs a query.');
  const withQuery = await measure(record, [fact], 'It took {built}.');
  const p95 = (values: number[]): number =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
  const row = (name: string, values: number[], aim: number | null): Result => ({
    name,
    value: median(values),
    unit: 'ms, median',
    aim,
    detail: `n = ${values.length}, 95th percentile ${p95(values).toFixed(2)} ms`,
  });
  return [
    row('closing brace to card bytes, no query', plain, 5),
    row('closing brace to card bytes, first one with a query', withQuery, null),
  ];
}
