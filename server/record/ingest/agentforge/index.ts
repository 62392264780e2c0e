import type { SourceKind } from '../../store.ts';
import type { Adapter, SourceInput } from '../adapter.ts';
import type { Reading } from '../facts.ts';
import { assemble } from './assemble.ts';
import { readFeatureList } from './feature-list.ts';
import { GitLogReader } from './git-log.ts';
import { readMetrics } from './metrics.ts';
import { ProgressLogReader } from './progress-log.ts';

/** Documents are read as a whole, logs line by line. */
const DOCUMENTS: ReadonlyMap<SourceKind, (text: string) => Reading> = new Map([
  ['metrics', readMetrics],
  ['feature_list', readFeatureList],
]);
const LOGS: ReadonlyMap<SourceKind, () => ProgressLogReader | GitLogReader> = new Map<
  SourceKind,
  () => ProgressLogReader | GitLogReader
>([
  ['progress_log', () => new ProgressLogReader()],
  ['git', () => new GitLogReader()],
]);

/** What one source says by itself, before anything is known about the others; null when it cannot be read. */
async function readingOf(source: SourceInput): Promise<Reading | null> {
  const log = LOGS.get(source.kind)?.();
  if (log) {
    for await (const line of source.lines()) log.read(line);
    return log.end();
  }
  const document = DOCUMENTS.get(source.kind);
  const text = document ? await source.text() : null;
  return text === null ? null : (document?.(text) ?? null);
}

/** AgentForge and other two-loop harnesses: a plan, a log of accepted features, published metrics, and the commits. */
const agentforge: Adapter = {
  id: 'agentforge',
  version: 4,
  label: 'AgentForge',
  needs: ['metrics', 'progress_log', 'feature_list'],
  sources: [
    { kind: 'metrics', paths: ['metrics.json', 'public/metrics.json'], single: true },
    {
      kind: 'feature_list',
      paths: ['feature_list.json'],
      single: true,
      sniff: (head) => !/^\s*\[/.test(head) || /"id"\s*:|^\s*\[\s*\]?\s*$/.test(head),
    },
    { kind: 'progress_log', paths: ['claude-progress.txt'], single: true },
    { kind: 'git', paths: ['git-log.jsonl', '.git'], single: true, from: 'git' },
  ],
  unit: 'together',
  async read(unit, out) {
    const readings = new Map<SourceKind, Reading>();
    for (const source of unit.sources) {
      const reading = await readingOf(source);
      if (!reading) continue;
      readings.set(source.kind, reading);
      source.count(reading.ok, reading.bad);
    }
    const named = [...readings.values()].find((reading) => reading.project !== null)?.project;
    if (named) out.projectName(named.slice(0, 80));
    assemble(unit.sources, readings, out);
  },
};

export const AGENTFORGE: readonly Adapter[] = [agentforge];
