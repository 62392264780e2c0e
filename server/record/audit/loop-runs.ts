import type { z } from 'zod/v4';
import { textAt } from '../cells.ts';
import { HARNESS, TIERS, type Tier } from '../ingest/agent-loop/contract.ts';
import {
  ArtifactData,
  CheckData,
  eventData,
  IterationData,
  VerdictData,
} from '../ingest/agent-loop/event-data.ts';
import type { Row } from '../store.ts';
import { placeOf } from './place.ts';
import type { AuditQuery, Finding, FindingRow } from './rule.ts';

/** Something of a run with the line it stands on. */
export interface Told<T> {
  data: T;
  place: FindingRow;
}

/** One run of agent-loop as its artifacts tell of it, for the rules that hold it against the contract. */
export interface LoopRun {
  runId: string;
  featureId: string;
  /** Name of its folder, which begins with its date. */
  folder: string;
  tier: Told<Tier> | null;
  artifacts: ReadonlyMap<string, Told<ArtifactData>>;
  check: Told<CheckData> | null;
  verdict: Told<VerdictData> | null;
  iterations: Told<IterationData>[];
  escalated: boolean;
  deviations: number;
  /** Paths the plan lists, and those that were changed. */
  planned: Told<string>[];
  changed: Told<string>[];
}

const RUNS = `SELECT f.feature_id, f.run_id, f.ext_id FROM features f JOIN runs r USING (run_id) WHERE r.harness = '${HARNESS}' ORDER BY f.ext_id`;
const EVENTS = `
 SELECT e.event_id AS ref, e.feature_id, e.kind, e.data, e.source_id, e.source_line FROM log_events e JOIN runs r USING (run_id)
 WHERE r.harness = '${HARNESS}' AND e.kind IN ('artifact', 'runnable_check', 'verdict', 'debug_iteration', 'escalation', 'deviation')
 ORDER BY e.source_id, e.source_line, e.event_id`;
const TIER_WORDS = `
 SELECT o.observation_id AS ref, o.feature_id, o.text_value, o.source_id, o.source_line FROM observations o JOIN runs r USING (run_id)
 WHERE r.harness = '${HARNESS}' AND o.fact = 'tier'`;
const FILES = `
 SELECT t.touch_id AS ref, t.feature_id, t.path, t.op, t.source_id, t.source_line FROM file_touches t JOIN runs r USING (run_id)
 WHERE r.harness = '${HARNESS}' AND t.op IN ('listed', 'touch') ORDER BY t.source_id, t.source_line`;

const byFeature = (rows: readonly Row[]): Map<string | null, Row[]> => {
  const groups = new Map<string | null, Row[]>();
  for (const row of rows) {
    const key = textAt(row, 'feature_id');
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
};

/** Events of one kind with what they carry; those that carry something else are left out. */
const told = <T>(rows: readonly Row[], kind: string, shape: z.ZodType<T>): Told<T>[] =>
  rows.flatMap((row) => {
    if (row.kind !== kind) return [];
    const data = eventData(shape, textAt(row, 'data'));
    return data === null ? [] : [{ data, place: placeOf(row) }];
  });

const paths = (rows: readonly Row[], op: string): Told<string>[] =>
  rows
    .filter((row) => row.op === op)
    .map((row) => ({ data: textAt(row, 'path') ?? '', place: placeOf(row) }));

/** All runs of agent-loop, by the name of their folder. */
export async function loopRuns(query: AuditQuery): Promise<LoopRun[]> {
  const events = byFeature(await query(EVENTS));
  const tiers = byFeature(await query(TIER_WORDS));
  const files = byFeature(await query(FILES));
  return (await query(RUNS)).map((row) => {
    const featureId = textAt(row, 'feature_id') ?? '';
    const own = events.get(featureId) ?? [];
    const [tierRow] = tiers.get(featureId) ?? [];
    const tier = TIERS.find((one) => one === tierRow?.text_value);
    const touched = files.get(featureId) ?? [];
    return {
      runId: textAt(row, 'run_id') ?? '',
      featureId,
      folder: textAt(row, 'ext_id') ?? '',
      tier: tier && tierRow ? { data: tier, place: placeOf(tierRow) } : null,
      artifacts: new Map(told(own, 'artifact', ArtifactData).map((one) => [one.data.artifact, one])),
      check: told(own, 'runnable_check', CheckData)[0] ?? null,
      verdict: told(own, 'verdict', VerdictData)[0] ?? null,
      iterations: told(own, 'debug_iteration', IterationData).sort((a, b) => a.data.n - b.data.n),
      escalated: own.some(({ kind }) => kind === 'escalation'),
      deviations: own.filter(({ kind }) => kind === 'deviation').length,
      planned: paths(touched, 'listed'),
      changed: paths(touched, 'touch'),
    };
  });
}

/** Artifacts that belong to the project and to no run. */
export const projectArtifacts = async (query: AuditQuery): Promise<Told<ArtifactData>[]> =>
  told(byFeature(await query(EVENTS)).get(null) ?? [], 'artifact', ArtifactData);

/** A finding about one run. `part`: what makes it differ from others of the same rule about the same run. */
export const about = (
  run: LoopRun,
  rule: string,
  severity: Finding['severity'],
  says: string,
  rows: readonly FindingRow[],
  part = '',
): Finding => ({
  id: `${rule}.${run.featureId}${part === '' ? '' : `.${part}`}`,
  runId: run.runId,
  featureId: run.featureId,
  severity,
  fact: 'status',
  says,
  rows: [...rows],
});
