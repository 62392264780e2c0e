import type { SourceKind } from '../../store.ts';
import type { Adapter } from '../adapter.ts';
import type { Reading } from '../facts.ts';
import { assemble } from './assemble.ts';
import { readFeatureList } from './feature-list.ts';
import { readGitLog } from './git-log.ts';
import { readMetrics } from './metrics.ts';
import { readProgressLog } from './progress-log.ts';

/** How each source is read, before anything is known about the others. */
const READERS: ReadonlyMap<SourceKind, (text: string) => Reading> = new Map([
  ['metrics', readMetrics],
  ['feature_list', readFeatureList],
  ['progress_log', readProgressLog],
  ['git', readGitLog],
]);

/** AgentForge and other two-loop harnesses: a plan, a log of accepted features, published metrics, and the commits. */
const agentforge: Adapter = {
  id: 'agentforge',
  version: 3,
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
      const text = await source.text();
      const reading = text === null ? undefined : READERS.get(source.kind)?.(text);
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
