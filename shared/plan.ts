import { z } from 'zod/v4';

/**
 * The plan: what a planner writes. It orders queries by name and never carries a value of its own.
 * These are the strict shapes; whether names exist and fit together is `validatePlan`'s question
 * (server/answer/validate.ts), because it depends on the catalog and on the record.
 *
 * Key order is the order of writing: facts before what uses them, `type` first in every branch.
 */

/** `counted`: the strongest basis; `each`: one value a source; else a source kind such as `progress_log`. */
export const SourceRef = z.string();

export const Where = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('in'), dim: z.string(), not: z.boolean(), any_of: z.array(z.string()) }),
  z.strictObject({
    type: z.literal('range'),
    dim: z.string(),
    /** Inclusive lower and upper bound, as text; null is open. Times are ISO 8601, numbers plain. */
    from: z.string().nullable(),
    to: z.string().nullable(),
  }),
]);

export const Scope = z.enum(['about', 'run']);

export const About = z.strictObject({
  /** External id of the feature the question is about ("28"), or null. */
  feature: z.string().nullable(),
  /** Filters every query with scope "about" stays inside. */
  scope: z.array(Where),
});

export const Fact = z.strictObject({
  name: z.string(),
  /** value: one aggregate. top/bottom: the extreme group's label or value. share: of `where` in the scope. count: rows with the figure. */
  kind: z.enum(['value', 'top_label', 'top_value', 'bottom_label', 'bottom_value', 'share', 'count']),
  measure: z.string(),
  source: SourceRef,
  /** Grouping for top and bottom kinds, else null. */
  by: z.string().nullable(),
  scope: Scope,
  where: z.array(Where),
});

const outcome = {
  if_true: z.string().nullable(),
  if_false: z.string().nullable(),
  if_unknown: z.string().nullable(),
};

export const Premise = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('figure'),
    name: z.string(),
    fact: z.string(),
    is: z.enum(['is', 'at_least', 'at_most']),
    /** A span of the question, such as "three attempts"; the server checks that it is there. */
    claimed: z.string(),
    ...outcome,
  }),
  z.strictObject({
    type: z.literal('relation'),
    name: z.string(),
    fact: z.string(),
    is: z.enum(['more_than', 'less_than', 'same_as', 'same_label_as']),
    other: z.string(),
    ...outcome,
  }),
  z.strictObject({
    type: z.literal('state'),
    name: z.string(),
    feature: z.string(),
    field: z.enum(['status', 'category']),
    is: z.string(),
    ...outcome,
  }),
]);

export const Check = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('agree'), name: z.string(), measure: z.string(), ...outcome }),
  z.strictObject({
    type: z.literal('recorded'),
    name: z.string(),
    measure: z.string(),
    source: SourceRef,
    ...outcome,
  }),
]);

export const Sentence = z.strictObject({
  /** Markdown (bold, italic, lists, code) with `{fact}`, `{feature:28}`, `[E3]` and `{quote:E3}`. */
  says: z.string(),
  when: z.strictObject({ name: z.string(), is: z.enum(['true', 'false', 'unknown']) }).nullable(),
});

/** A button: the label, and the complete follow-up question it asks. */
export const Action = z.strictObject({ label: z.string(), request: z.string() });

const actions = z.array(Action);
export const MeasureRef = z.strictObject({ measure: z.string(), source: SourceRef });
export const Order = z.enum(['natural', 'largest', 'smallest']);
export const Size = z.enum(['few', 'some', 'all']);

export const StatBlock = z.strictObject({
  type: z.literal('stat'),
  title: z.string(),
  figures: z.array(
    z.strictObject({
      label: z.string(),
      fact: z.string(),
      /** Another fact this one is set against ("3.2 times the median"), or null. */
      compare_to: z.string().nullable(),
      caption: z.string().nullable(),
    }),
  ),
  actions,
});

export const ChartBlock = z.strictObject({
  type: z.literal('chart'),
  title: z.string(),
  measures: z.array(MeasureRef),
  by: z.string(),
  split: z.string().nullable(),
  draw: z.enum(['line', 'bar', 'donut']),
  order: Order,
  size: Size,
  scope: Scope,
  where: z.array(Where),
  actions,
});

export const AttemptsBlock = z.strictObject({
  type: z.literal('attempts'),
  title: z.string(),
  feature: z.string(),
  actions,
});

const table = <T extends string>(type: T) =>
  z.strictObject({
    type: z.literal(type),
    title: z.string(),
    columns: z.array(z.string()),
    order_by: z.string().nullable(),
    order: Order,
    size: Size,
    scope: Scope,
    where: z.array(Where),
    actions,
  });
export const FeatureTableBlock = table('feature_table');
export const CommitTableBlock = table('commit_table');
export const FindingTableBlock = table('finding_table');
/** One row a run of a gate. */
export const GateTableBlock = table('gate_table');
/** One row a project: several where projects are compared. */
export const ProjectTableBlock = table('project_table');

/** Requirements and how far each is proven. */
export const LedgerBlock = z.strictObject({
  type: z.literal('ledger'),
  title: z.string(),
  group: z.enum(['feature', 'use_case', 'state']),
  scope: Scope,
  where: z.array(Where),
  actions,
});

/** Entries of the logs as they were written: all in scope from the first on, or those around one of them. */
export const LogBlock = z.strictObject({
  type: z.literal('log'),
  title: z.string(),
  around: z.enum(['nothing', 'first_failure', 'last_failure', 'first_open_start', 'end']),
  size: Size,
  scope: Scope,
  where: z.array(Where),
  actions,
});

/** What happened on a time axis, one row a feature. */
export const TimelineBlock = z.strictObject({
  type: z.literal('timeline'),
  title: z.string(),
  /** builds: one span a feature; attempts: each as its source lists it; gates: each run; entries: of the logs. */
  of: z.enum(['builds', 'attempts', 'gates', 'entries']),
  scope: Scope,
  where: z.array(Where),
  actions,
});

export const NoteBlock = z.strictObject({
  type: z.literal('note'),
  title: z.string(),
  body: z.array(Sentence),
  actions,
});

export const Block = z.discriminatedUnion('type', [
  StatBlock,
  ChartBlock,
  AttemptsBlock,
  FeatureTableBlock,
  CommitTableBlock,
  FindingTableBlock,
  GateTableBlock,
  ProjectTableBlock,
  LedgerBlock,
  LogBlock,
  TimelineBlock,
  NoteBlock,
]);

export const Plan = z.strictObject({
  about: About,
  facts: z.array(Fact),
  premises: z.array(Premise),
  checks: z.array(Check),
  explanation: z.array(Sentence),
  blocks: z.array(Block),
  followUps: z.array(z.string()),
});

export type Where = z.infer<typeof Where>;
export type About = z.infer<typeof About>;
export type Fact = z.infer<typeof Fact>;
export type Premise = z.infer<typeof Premise>;
export type Check = z.infer<typeof Check>;
export type Sentence = z.infer<typeof Sentence>;
export type Action = z.infer<typeof Action>;
export type MeasureRef = z.infer<typeof MeasureRef>;
export type StatBlock = z.infer<typeof StatBlock>;
export type ChartBlock = z.infer<typeof ChartBlock>;
export type AttemptsBlock = z.infer<typeof AttemptsBlock>;
export type TableBlock = z.infer<
  | typeof FeatureTableBlock
  | typeof CommitTableBlock
  | typeof FindingTableBlock
  | typeof GateTableBlock
  | typeof ProjectTableBlock
>;
export type LedgerBlock = z.infer<typeof LedgerBlock>;
export type LogBlock = z.infer<typeof LogBlock>;
export type TimelineBlock = z.infer<typeof TimelineBlock>;
export type NoteBlock = z.infer<typeof NoteBlock>;
export type Block = z.infer<typeof Block>;
export type BlockType = Block['type'];
export type Plan = z.infer<typeof Plan>;

/** What a planner never writes: cards the server adds by itself. */
export type ServerBlock =
  /** The question takes something for granted that the record does not simply bear out. */
  | {
      type: 'premise';
      feature: string | null;
      measure: string;
      claimed: { text: string; value: number | null };
    }
  /** Everything in scope about which sources disagree. */
  | { type: 'conflict'; title: string; feature: string | null; actions: Action[] }
  /** Something that is missing, or a failure: a stable code in plain words. */
  | { type: 'code'; code: string; title: string | null; detail: string | null; suggestions: string[] };

export type AnyBlock = Block | ServerBlock;
