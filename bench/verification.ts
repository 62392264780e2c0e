import type { NamedPlanner } from '../server/answer/types.ts';
import { createApp } from '../server/app.ts';
import { createLog } from '../server/log.ts';
import { builtinPlanner } from '../server/planner/builtin/index.ts';
import { openRecord } from '../server/record/index.ts';
import type { RecordHandle, Store } from '../server/record/store.ts';
import { oneProject } from '../server/workspace/one.ts';
import type { Project } from '../server/workspace/project.ts';
import { median, type Result } from './result.ts';

const QUESTIONS = [
  'why did feature 28 take three attempts?',
  'how did the run go?',
  'which features were the slowest?',
  'do the sources agree?',
  'what is the build time by category?',
  'compare feature 28 with feature 1',
  'how many features were accepted?',
  'which features were skipped?',
  'how many tokens did the run use?',
  'why did feature 5 fail?',
  'how many lines were added by category?',
  'which features took more than one attempt?',
];
const ROUNDS = 6;
const WARM_UP = 2;

interface Answered {
  /** Milliseconds from the question to the bytes of its first card, and to `done`. */
  first: number;
  done: number;
  /** Statements run for it, and processor time of the whole process, milliseconds. */
  queries: number;
  cpu: number;
}

/** A record whose statements are counted, the verifier's among them. */
function counting(record: RecordHandle): { record: RecordHandle; count(): number } {
  let count = 0;
  const counted = (store: Store): Store => ({
    query: (...given) => {
      count += 1;
      return store.query(...given);
    },
    connect: async () => counted(await store.connect()),
    fingerprint: () => store.fingerprint(),
    close: () => store.close(),
  });
  return { record: { ...record, store: counted(record.store) }, count: () => count };
}

/** The same project, its answers left unchecked. */
const unchecked = (project: Project): Project => ({
  ...project,
  wiring: {
    ...project.wiring,
    ports: (log) => ({
      ...project.wiring.ports(log),
      verify: () => Promise.reject(new Error('not checked, to measure what the check costs')),
    }),
  },
});

/** Asks a server whose record is read from a folder; `ask` gives the times of one answer. */
async function server(
  folder: string,
  planner: NamedPlanner,
  check: boolean,
): Promise<{ ask(question: string): Promise<Answered>; close(): Promise<void> }> {
  const handle = await openRecord({ root: folder, database: ':memory:' });
  const { record, count } = counting(handle);
  const [project] = oneProject(record);
  const app = await createApp({
    config: { host: '127.0.0.1', port: 0, hosts: [], token: null, trustLocal: true, web: '/nowhere' },
    logger: createLog({ level: 'silent', secrets: [] }),
    planner,
    projects: [check ? project : unchecked(project)],
  });
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  return {
    async ask(question) {
      const before = count();
      const used = process.cpuUsage();
      const asked = performance.now();
      const response = await fetch(`${url}/api/ask`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ question }),
      });
      if (!response.ok || response.body === null) throw new Error(`the answer began with ${response.status}`);
      let first: number | null = null;
      let text = '';
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        if (first === null && /"path":"\/cards\/[\w.]+","value":\{(?![^\n]*"type":"skeleton")/.test(text))
          first = performance.now() - asked;
      }
      const done = performance.now() - asked;
      const { user, system } = process.cpuUsage(used);
      return { first: first ?? done, done, queries: count() - before, cpu: (user + system) / 1_000 };
    },
    async close() {
      await app.server.close();
      await handle.close();
    },
  };
}

/**
 * What the second reading costs, with the built-in planner: the same questions asked of two servers in turns, one of which
 * leaves answers unchecked.
 * @param folder of the demo record
 */
export async function verification(folder: string): Promise<Result[]> {
  const checked = await server(folder, builtinPlanner(), true);
  const plain = await server(folder, builtinPlanner(), false);
  const of: Record<'checked' | 'plain', Answered[]> = { checked: [], plain: [] };
  try {
    for (let round = 0; round < WARM_UP + ROUNDS; round++)
      for (const question of QUESTIONS) {
        // In turns, so that a machine that is slow for a while is slow for both.
        const one = await checked.ask(question);
        const other = await plain.ask(question);
        if (round < WARM_UP) continue;
        of.checked.push(one);
        of.plain.push(other);
      }
  } finally {
    await checked.close();
    await plain.close();
  }
  const middle = (all: readonly Answered[], key: keyof Answered): number =>
    median(all.map((one) => one[key]));
  // Each answer beside the one that was asked right after it: what the machine did meanwhile is the same for both.
  const added = (key: 'done' | 'cpu'): number =>
    100 * median(of.checked.map((one, at) => one[key] / (of.plain[at]?.[key] ?? one[key]) - 1));
  const n = `n = ${of.checked.length}, ${QUESTIONS.length} questions`;
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  return [
    {
      name: 'time the check adds to an answer',
      value: added('done'),
      unit: '%, median',
      aim: 15,
      detail: `${ms(middle(of.checked, 'done'))} against ${ms(middle(of.plain, 'done'))} without; ${n}`,
    },
    {
      name: 'processor time the check adds to an answer',
      value: added('cpu'),
      unit: '%, median',
      aim: null,
      detail: `${ms(middle(of.checked, 'cpu'))} against ${ms(middle(of.plain, 'cpu'))} without: everything is read twice; ${n}`,
    },
    {
      name: 'question to first card, checked answers',
      value: middle(of.checked, 'first'),
      unit: 'ms, median',
      aim: 30,
      detail: `${ms(middle(of.plain, 'first'))} where nothing is checked; ${n}`,
    },
    {
      name: 'statements of one answer, checked',
      value: middle(of.checked, 'queries'),
      unit: 'statements, median',
      aim: null,
      detail: `${middle(of.plain, 'queries')} without the check; ${n}`,
    },
  ];
}
