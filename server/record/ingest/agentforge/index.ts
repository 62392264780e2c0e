import type { SourceKind } from '../../store.ts';
import type { Adapter, RowSink, SourceInput } from '../adapter.ts';
import type { Reading } from '../facts.ts';
import { assemble } from './assemble.ts';
import { CurrentRun } from './current-run.ts';
import { readEvaluatorFeedback } from './evaluator-feedback.ts';
import { readEvaluatorReports } from './evaluator-report.ts';
import { readFeatureList } from './feature-list.ts';
import { GitLogReader } from './git-log.ts';
import { readBuildLog, readIterationLog } from './loop-logs.ts';
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

/** Files without a time of their own: they belong to the run the harness is in. Reports are put in order before (above). */
const FURTHER: ReadonlyMap<
  SourceKind,
  (source: SourceInput, run: CurrentRun, out: RowSink) => Promise<void>
> = new Map([
  ['evaluator_report', async () => undefined],
  ['evaluator_feedback', readEvaluatorFeedback],
  ['build_log', readBuildLog],
  ['iteration_log', readIterationLog],
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
  version: 5,
  label: 'AgentForge',
  needs: ['metrics', 'progress_log', 'feature_list', 'evaluator_report', 'evaluator_feedback'],
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
    {
      kind: 'evaluator_report',
      paths: ['.ralph-logs/**/*.json', 'eval*.json'],
      sniff: (head) => /"feature_id"\s*:/.test(head) && /"(?:scores|overall)"\s*:/.test(head),
    },
    {
      kind: 'evaluator_feedback',
      paths: ['.ralph-logs/**/*.md', 'feedback.md'],
      sniff: (head) => /^# (?:Evaluator Feedback|Build Failed)\b/m.test(head),
    },
    { kind: 'build_log', paths: ['.ralph-logs/**/*build*.log'] },
    {
      kind: 'iteration_log',
      paths: [
        '.ralph-logs/**/iter*-attempt-*.log',
        '.ralph-logs/**/iter*-plan.log',
        '.ralph-logs/**/*server*.log',
        '.ralph-logs/**/diff*.txt',
      ],
    },
  ],
  unit: 'together',
  async read(unit, out) {
    const readings = new Map<SourceKind, Reading>();
    const further = unit.sources.filter(({ kind }) => FURTHER.has(kind));
    for (const source of unit.sources) {
      if (FURTHER.has(source.kind)) continue;
      const reading = await readingOf(source);
      if (!reading) continue;
      readings.set(source.kind, reading);
      source.count(reading.ok, reading.bad);
    }
    const named = [...readings.values()].find((reading) => reading.project !== null)?.project;
    if (named) out.projectName(named.slice(0, 80));
    const current = assemble(unit.sources, readings, out, further.length > 0);
    if (!current) return;
    const run = new CurrentRun(current, out);
    await readEvaluatorReports(unit.of('evaluator_report'), run, out);
    for (const source of further) {
      await FURTHER.get(source.kind)?.(source, run, out);
      await out.flush();
    }
  },
};

export const AGENTFORGE: readonly Adapter[] = [agentforge];
