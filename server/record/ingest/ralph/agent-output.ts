import { LIMITS } from '../../../../shared/limits.ts';
import type { Adapter, SourceInput, SourceLine } from '../adapter.ts';
import { readTime } from '../time.ts';
import { addLoopRun, LOOP_RUN } from './loop-run.ts';
import { cut, event } from './rows.ts';

/** A status block as the agent is told to write at the end of its answer. */
export interface StatusBlock {
  line: number;
  lastLine: number;
  fields: Map<string, string>;
}

const BEGIN = '---RALPH_STATUS---';
const END = '---END_RALPH_STATUS---';
const FIELD = /^\s*([A-Z][A-Z_]{1,40}):\s*(.{0,400})/;
/** Lines of a block; a block without an end stops there. */
const BLOCK_LINES = 40;

const takeField = (block: StatusBlock, text: string): void => {
  const match = FIELD.exec(text);
  if (match?.[1] !== undefined && !block.fields.has(match[1]))
    block.fields.set(match[1], match[2]?.trim() ?? '');
};

/** Blocks of one line of JSON, whose line breaks are written as `\n`. */
function* insideOf(line: SourceLine): Generator<StatusBlock> {
  for (const part of line.text.split(BEGIN).slice(1, BLOCK_LINES)) {
    const body = part.split(END, 1)[0] ?? '';
    const block: StatusBlock = { line: line.no, lastLine: line.no, fields: new Map() };
    for (const text of body.split('\\n').slice(0, BLOCK_LINES)) takeField(block, text);
    yield block;
  }
}

/** Every RALPH_STATUS block of an output, whether it is plain text or JSON. */
export async function* statusBlocks(
  lines: AsyncIterable<SourceLine>,
  seen: { lines: number },
): AsyncGenerator<StatusBlock> {
  let open: StatusBlock | null = null;
  for await (const line of lines) {
    seen.lines += 1;
    if (line.text.includes(`${BEGIN}\\n`)) yield* insideOf(line);
    else if (line.text.trim() === BEGIN) {
      if (open) yield open;
      open = { line: line.no, lastLine: line.no, fields: new Map() };
    } else if (open) {
      open.lastLine = line.no;
      if (line.text.trim() === END || open.lastLine - open.line > BLOCK_LINES) {
        yield open;
        open = null;
      } else takeField(open, line.text);
    }
  }
  if (open) yield open;
}

/** The time in the name of an output, `claude_output_2026-01-28_14-30-00.log`, which is the machine's own and has no zone. */
function timeOf(path: string): { ms: number; zone: string | null } | null {
  const match = /(\d{4}-\d\d-\d\d)[_T](\d\d)-(\d\d)-(\d\d)[^/]*$/.exec(path);
  return match ? readTime(`${match[1]}T${match[2]}:${match[3]}:${match[4]}`) : null;
}

async function read(
  source: SourceInput,
  add: (block: StatusBlock, n: number) => void,
): Promise<{ lines: number; blocks: number }> {
  const seen = { lines: 0 };
  let blocks = 0;
  for await (const block of statusBlocks(source.lines(), seen)) {
    blocks += 1;
    if (blocks <= LIMITS.sourceEntries) add(block, blocks);
  }
  if (blocks > LIMITS.sourceEntries) {
    source.issue(
      'too_many_entries',
      'warning',
      null,
      `${blocks - LIMITS.sourceEntries} more status blocks were not read.`,
    );
  }
  return { lines: seen.lines, blocks };
}

/**
 * Outputs of the agent in `.ralph/logs`. What is read is the status block the agent ends its answer with, which is its own
 * word; the rest is free text and stays in the file.
 */
export const agentOutput: Adapter = {
  id: 'ralph/agent-output',
  version: 1,
  label: 'Ralph agent output',
  sources: [{ kind: 'agent_output', paths: ['.ralph/logs/*output*.log'] }],
  unit: 'each',
  async read(unit, out) {
    const source = unit.sources[0];
    if (!source) return;
    addLoopRun(out, source, null, 5);
    const time = timeOf(source.path);
    if (time?.zone === null) {
      source.issue(
        'time_without_zone',
        'info',
        null,
        'The time in the name of the file has no zone; it was read as UTC.',
      );
    }
    const { lines, blocks } = await read(source, (block, n) => {
      const get = (name: string): string | null => block.fields.get(name) ?? null;
      const status = get('STATUS');
      event(out, source, block.line, {
        run_id: LOOP_RUN,
        time,
        level: status !== null && /block|stuck|fail/i.test(status) ? 'warning' : 'info',
        kind: 'agent_status',
        message: [
          status ?? 'no status',
          get('TESTS_STATUS') === null ? null : `tests ${get('TESTS_STATUS')}`,
          get('EXIT_SIGNAL') === null ? null : `exit ${get('EXIT_SIGNAL')}`,
          get('RECOMMENDATION'),
        ]
          .filter((part) => part !== null)
          .join(', '),
        data: cut(JSON.stringify(Object.fromEntries(block.fields))),
        last_line: block.lastLine,
        part: String(n),
      });
    });
    event(out, source, 1, {
      run_id: LOOP_RUN,
      time,
      level: 'info',
      kind: 'agent_output',
      message: `${lines} lines of output, ${blocks} with a status`,
      part: 'all',
    });
    source.count(lines, 0);
  },
};
