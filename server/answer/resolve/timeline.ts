import type { CardData, TimelineCard, TimelineLane, TimelineMark } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { TimelineBlock, Where } from '../../../shared/plan.ts';
import { measureOf } from '../../metrics/fit.ts';
import { single } from '../../metrics/query.ts';
import { TIMED } from '../../metrics/timed.ts';
import { baseOf, shown } from './base.ts';
import { cells, type ResolveContext, whereOf } from './context.ts';
import { emptyCard, emptyOf } from './empty.ts';
import { judge } from './figure.ts';
import { type Placed, placedBuilds, placedRows } from './timeline-rows.ts';

/** Marks in the order in which they are kept when there are too many: what needs a look first. */
const weight = ({ mark }: Placed): number =>
  mark.open || mark.level === 'error' || (mark.verdict !== null && mark.verdict !== 'pass')
    ? 0
    : mark.startMs === null && mark.endMs === null
      ? 2
      : 1;
const isTimed = ({ mark }: Placed): boolean => mark.startMs !== null || mark.endMs !== null;
const momentOf = (mark: TimelineMark): number => mark.startMs ?? mark.endMs ?? Number.POSITIVE_INFINITY;

/** Lanes by feature in the order of the record; what belongs to no feature comes last. */
function lanesOf(placed: readonly Placed[], context: ResolveContext): TimelineLane[] {
  const order = new Map(context.profile.features.map(({ id }, at) => [id, at]));
  const lanes = new Map<string, TimelineLane>();
  for (const { lane, title, mark } of placed) {
    const key = lane ?? `\u0000${title ?? ''}`;
    const known = lanes.get(key);
    if (known) known.marks.push(mark);
    else {
      const feature = context.profile.features.find(({ id }) => id === lane);
      lanes.set(key, {
        id: lane,
        title: title ?? feature?.title ?? (lane === null ? 'no feature' : `Feature ${lane}`),
        status: feature?.status ?? null,
        marks: [mark],
      });
    }
  }
  const place = ({ id }: TimelineLane): number =>
    id === null ? Number.MAX_SAFE_INTEGER : (order.get(id) ?? order.size);
  return [...lanes.values()]
    .map((lane) => ({ ...lane, marks: lane.marks.toSorted((a, b) => momentOf(a) - momentOf(b)) }))
    .toSorted((a, b) => place(a) - place(b));
}

const times = (count: number, one: string, many: string): string | null =>
  count === 0 ? null : `${count} ${count === 1 ? one : many}`;

/** What stands out, counted over everything in scope. */
async function subOf(
  block: TimelineBlock,
  where: readonly Where[],
  context: ResolveContext,
): Promise<string | null> {
  const count = async (measure: string): Promise<number> =>
    (await context.queries.run(single(measure, 'counted', where))).groups[0]?.values[0]?.value ?? 0;
  switch (block.of) {
    case 'gates': {
      const [all, failed, own] = await Promise.all(
        ['gate_runs', 'gate_failures', 'verifier_failures'].map(count),
      );
      return [
        `${failed ?? 0} of ${times(all ?? 0, 'gate run', 'gate runs') ?? 'no gate runs'} did not pass`,
        times(own ?? 0, 'of them by the verifier itself', 'of them by the verifier itself'),
      ]
        .filter((part) => part !== null)
        .join(', ')
        .concat('.');
    }
    case 'attempts': {
      const [all, failed] = await Promise.all(['listed_attempts', 'failed_attempts'].map(count));
      return `${failed ?? 0} of ${times(all ?? 0, 'attempt', 'attempts') ?? 'no attempts'} did not pass.`;
    }
    case 'entries': {
      const errors = await count('log_errors');
      return errors === 0 ? null : `${times(errors, 'entry is an error', 'entries are errors')}.`;
    }
    case 'builds':
      return 'Width is build time up to the moment the feature was finished.';
  }
}

/** Whether some of the times of what is drawn were written without a zone. */
async function zoneUnsure(marks: readonly TimelineMark[], context: ResolveContext): Promise<boolean> {
  const rows = await context.queries.rows(
    `SELECT source_id, line_no FROM ingest_issues WHERE code = 'time_without_zone'`,
    [],
  );
  const place = (source: string | null, line: number | null): string => `${source ?? ''}:${line ?? ''}`;
  const unsure = new Set(rows.map((row) => place(cells.text(row.source_id), cells.number(row.line_no))));
  return marks.some(
    ({ cite }) => unsure.has(place(cite.source, cite.line)) || unsure.has(place(cite.source, null)),
  );
}

const UNTIMED: Readonly<Record<TimelineBlock['of'], string>> = {
  builds: 'No source of this record tells when a feature was finished.',
  attempts: 'The attempts of this record are listed without clock times.',
  gates: 'The gate runs of this record have no clock times.',
  entries: 'The log entries in scope have no clock times.',
};

/** What happened on a time axis, one lane a feature. */
export async function resolveTimeline(
  block: TimelineBlock,
  id: string,
  context: ResolveContext,
): Promise<CardData> {
  const where = whereOf(context.about, block.scope, block.where);
  const about = { id, title: block.title, actions: block.actions };
  const measure = measureOf(TIMED[block.of]);
  const { placed, total } =
    block.of === 'builds' ? await placedBuilds(where, context) : await placedRows(block.of, where, context);
  if (placed.length === 0) return emptyOf(context, about, measure);
  if (!placed.some(isTimed))
    return emptyCard(
      context,
      about,
      'not_ingested',
      UNTIMED[block.of],
      'Add the log of the run: its lines carry the times.',
    );
  // Entries without a time are many and say nothing on an axis; a build or a gate without one is a row that says so.
  const drawn = block.of === 'entries' ? placed.filter(isTimed) : placed;
  const kept = drawn.toSorted((a, b) => weight(a) - weight(b)).slice(0, LIMITS.marks);
  const all = lanesOf(kept, context);
  const lanes = all.slice(0, LIMITS.lanes);
  const marks = lanes.flatMap((lane) => lane.marks);
  const untimed = placed.filter((one) => !isTimed(one)).length;
  const durations = marks.map(({ duration }) => duration);
  const present = durations.filter(({ value }) => value !== null);
  const query = context.register({ kind: 'query', query: single(measure.id, 'counted', where), key: {} });
  const [sub, unsure] = await Promise.all([subOf(block, where, context), zoneUnsure(marks, context)]);
  const judged = judge(
    present.map((figure) => ({ ...figure, disputed: false })),
    [],
    untimed === 0
      ? null
      : {
          have: Math.max(0, total - untimed),
          of: total,
          why: `${untimed} of ${total} have no clock time and so no place on the axis.`,
        },
  );
  const card: TimelineCard = {
    ...baseOf(context, {
      ...about,
      sub,
      evidence: [query, ...marks.map(({ evidence }) => evidence)].slice(0, LIMITS.marks),
      trimmed:
        all.length > lanes.length
          ? shown(lanes.length, all.length, 'rows')
          : kept.length < drawn.length || placed.length < total
            ? `${shown(kept.length, total)}, failures first`
            : null,
      ...judged,
    }),
    type: 'timeline',
    of: block.of,
    zone: context.queries.context.zone,
    zoneUnsure: unsure,
    lanes,
    total,
    untimed,
  };
  return card;
}
