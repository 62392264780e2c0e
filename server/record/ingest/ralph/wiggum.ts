import { parse } from 'yaml';
import { z } from 'zod/v4';
import type { Adapter, RowSink, SourceInput } from '../adapter.ts';
import { readTime } from '../time.ts';
import { at, cut, event, observe } from './rows.ts';

const RUN = 'ralph-wiggum';
/** Front matter of the state file. YAML makes dates and numbers of some values, so both are taken. */
const state = z.object({
  active: z.boolean().nullish(),
  iteration: z.number().int().nonnegative().nullish(),
  max_iterations: z.number().int().nonnegative().nullish(),
  completion_promise: z.string().nullish(),
  started_at: z.union([z.string(), z.date().transform((date) => date.toISOString())]).nullish(),
});

const MOST_LINES = 40;

/** The lines between the first two `---`, and the line that follows them; null when there are none. */
function frontMatter(text: string): { yaml: string; lines: string[]; after: string } | null {
  const lines = text.split(/\r?\n/);
  if (lines[0]?.trim() !== '---') return null;
  const end = lines.slice(1, MOST_LINES).findIndex((line) => line.trim() === '---');
  if (end === -1) return null;
  const inside = lines.slice(1, end + 1);
  const after = lines.slice(end + 2).find((line) => line.trim() !== '') ?? '';
  return { yaml: inside.join('\n'), lines: inside, after };
}

function parsed(yaml: string): z.infer<typeof state> | null {
  try {
    const value: unknown = parse(yaml, { maxAliasCount: 0 });
    const result = state.safeParse(value);
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}

async function add(source: SourceInput, out: RowSink): Promise<void> {
  const text = await source.text();
  if (text === null) return;
  const front = frontMatter(text);
  const data = front === null ? null : parsed(front.yaml);
  if (front === null || data === null) {
    source.issue('unknown_shape', 'error', 1, 'The file does not begin with the state of a loop.');
    return source.count(0, 1);
  }
  source.count(1, 0);
  const lineOf = (key: string): number => front.lines.findIndex((line) => line.startsWith(`${key}:`)) + 2;
  const started = typeof data.started_at === 'string' ? readTime(data.started_at) : null;
  if (data.started_at && started === null)
    source.issue(
      'time_invalid',
      'warning',
      lineOf('started_at'),
      'started_at is not a time that can be read.',
    );
  if (started?.zone === null)
    source.issue(
      'time_without_zone',
      'warning',
      lineOf('started_at'),
      'started_at has no time zone, so it was not used.',
    );
  out.add('runs_told', {
    run_id: RUN,
    harness: 'ralph-wiggum',
    name: 'the loop of the plugin',
    started_at_ms: started !== null && started.zone !== null ? started.ms : null,
    zone: started?.zone ?? null,
    status: data.active === undefined || data.active === null ? null : data.active ? 'running' : 'stopped',
    rank: 0,
    ...at(source, lineOf('active')),
  });
  const iteration = data.iteration ?? null;
  observe(
    out,
    { source, runId: RUN, feature: null, line: lineOf('iteration') },
    'iterations',
    iteration,
    'measured',
  );
  event(out, source, 1, {
    run_id: RUN,
    time: started,
    kind: 'loop_state',
    level: 'info',
    message: cut(
      `${data.active === true ? 'Active' : 'Not active'}${iteration === null ? '' : `, iteration ${iteration}`}${data.max_iterations ? ` of at most ${data.max_iterations}` : ''}: ${front.after}`,
      400,
    ),
    data: JSON.stringify({
      max_iterations: data.max_iterations ?? null,
      completion_promise: data.completion_promise ?? null,
    }),
  });
}

/** `.claude/ralph-loop.local.md` of the ralph-wiggum plugin: where its loop stands now, in front matter above the prompt. */
export const wiggum: Adapter = {
  id: 'ralph/plugin-state',
  version: 1,
  label: 'Ralph plugin state',
  sources: [{ kind: 'loop_state', paths: ['.claude/ralph-loop.local.md'], single: true }],
  unit: 'each',
  async read(unit, out) {
    for (const source of unit.sources) await add(source, out);
  },
};
