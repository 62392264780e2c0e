import { type Read, readWith } from '../test-adapter.ts';
import { OTLP } from './index.ts';
import type { Kept, KeptAttributes } from './kept.ts';

/** Lines of telemetry as they are kept, and what the adapter makes of them. For tests only. */

export const AT = Date.UTC(2026, 7, 20, 10, 0, 0);
export const PATH = '~looplight/telemetry/000001.jsonl';

const common = { v: 1, at: AT, placed: 'first' } as const;
export const log = (name: string, attrs: KeptAttributes, more: object = {}): Kept => ({
  ...common,
  what: 'log',
  name,
  time: AT,
  attrs,
  ...more,
});
export const span = (name: string, attrs: KeptAttributes, more: object = {}): Kept => ({
  ...common,
  what: 'span',
  name,
  start: AT - 2_000,
  end: AT,
  attrs,
  ...more,
});
export const claude = (name: string, attrs: KeptAttributes): Kept =>
  log(
    name,
    { 'session.id': 's1', ...attrs },
    { scope: 'com.anthropic.claude_code.events', service: 'claude-code' },
  );

export const textOf = (records: readonly Kept[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

export async function readKept(records: readonly Kept[]): Promise<Read> {
  const [adapter] = OTLP;
  if (adapter === undefined) throw new Error('there is no adapter');
  return readWith(adapter, { [PATH]: textOf(records) });
}
