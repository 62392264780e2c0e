import { TABLE_COLUMNS, type TableKind } from '../metrics/columns.ts';
import type { RecordProfile } from '../record/store.ts';
import {
  array,
  boolean,
  constant,
  type JSONSchema,
  nullable,
  object,
  oneOf,
  ref,
  text,
} from './json-schema.ts';
import { FIXED_VALUES, type Vocabulary, vocabularyOf } from './vocabulary.ts';

export type { JSONSchema } from './json-schema.ts';

/** Name under which the schema is sent. */
export const SCHEMA_NAME = 'plan';

const name = text('short name in lower case with underscores');
const actions = array(ref('Action'), 'at most two buttons, often none');
const where = array(ref('Where'), 'usually empty');
const title = text('a few words; a finding only as a placeholder');
const outcomes = {
  if_true: nullable(text('sentence for the case that it holds')),
  if_false: nullable(text('sentence for the case that it does not')),
  if_unknown: nullable(text('sentence for the case that the record cannot tell')),
};

/** Values that do not name anything people gave a name to: each once, whatever dimensions have it. */
const fixedValues = (words: Vocabulary): readonly string[] => [
  ...new Set([...Object.values(FIXED_VALUES).flat(), ...words.gates, ...words.entryKinds]),
];

/** The names of one record. A list that is open is any text: the server matches what it finds. */
function names(words: Vocabulary): Record<string, JSONSchema> {
  const list = (values: readonly string[] | null, description: string): JSONSchema =>
    values === null ? text(description) : oneOf(values, description);
  const states = words.statuses !== null && words.categories !== null;
  const closed = states && words.features !== null && words.runs !== null;
  const refs = ['Feature', 'Category', 'Status', 'Run'].map(ref);
  return {
    Measure: oneOf(words.measures, 'what is measured'),
    Source: oneOf(words.sources, 'counted: the strongest source; each: one value a source; or one source'),
    Dimension: oneOf(words.dimensions, 'what results are grouped by'),
    Feature: list(words.features, 'id of a feature'),
    Category: list(words.categories, 'category of features'),
    Status: list(words.statuses, 'state of a feature'),
    Run: list(words.runs, 'id of a run'),
    State: states ? { anyOf: [ref('Status'), ref('Category')] } : text('a status or a category'),
    Value: closed
      ? { anyOf: [...refs, oneOf(words.sources), oneOf(fixedValues(words))] }
      : text('a value of the dimension'),
  };
}

function parts(words: Vocabulary): Record<string, JSONSchema> {
  return {
    Where: {
      description: 'a filter',
      anyOf: [
        object({ type: constant('in'), dim: oneOf(words.named), not: boolean, any_of: array(ref('Value')) }),
        object({
          type: constant('range'),
          dim: oneOf(words.ordered),
          from: nullable(text('lowest value, included')),
          to: nullable(text('highest value, included')),
        }),
      ],
    },
    Scope: oneOf(['about', 'run'], 'about: inside what the question is about; run: the whole run'),
    Order: oneOf(['natural', 'largest', 'smallest']),
    Size: oneOf(['few', 'some', 'all']),
    MeasureRef: object({ measure: ref('Measure'), source: ref('Source') }),
    Sentence: object(
      {
        says: text(
          'one sentence; figures as {fact}, features as {feature:id}, evidence as [E1] or {quote:E1}',
        ),
        when: nullable(object({ name: text('a premise or check'), is: oneOf(['true', 'false', 'unknown']) })),
      },
      'said always, or only when a premise or check came out so',
    ),
    Action: object(
      { label: text('two to five words'), request: text('the complete question it asks') },
      'a button',
    ),
  };
}

const statements: Record<string, JSONSchema> = {
  Fact: object(
    {
      name,
      kind: oneOf(
        ['value', 'top_label', 'top_value', 'bottom_label', 'bottom_value', 'share', 'count'],
        'value: the aggregate; top and bottom: the extreme group; share: the part that where selects; count: rows with the figure',
      ),
      measure: ref('Measure'),
      source: ref('Source'),
      by: nullable(ref('Dimension')),
      scope: ref('Scope'),
      where,
    },
    'one result, named for use in sentences and cards',
  ),
  Premise: {
    description: 'something the question takes for granted',
    anyOf: [
      object({
        type: constant('figure'),
        name,
        fact: text('a fact'),
        is: oneOf(['is', 'at_least', 'at_most']),
        claimed: text('the words of the question that claim it'),
        ...outcomes,
      }),
      object({
        type: constant('relation'),
        name,
        fact: text('a fact'),
        is: oneOf(['more_than', 'less_than', 'same_as', 'same_label_as']),
        other: text('another fact'),
        ...outcomes,
      }),
      object({
        type: constant('state'),
        name,
        feature: ref('Feature'),
        field: oneOf(['status', 'category']),
        is: ref('State'),
        ...outcomes,
      }),
    ],
  },
  Check: {
    description: 'what a careful reader would check besides',
    anyOf: [
      object({ type: constant('agree'), name, measure: ref('Measure'), ...outcomes }),
      object({
        type: constant('recorded'),
        name,
        measure: ref('Measure'),
        source: ref('Source'),
        ...outcomes,
      }),
    ],
  },
};

const table = (kind: TableKind): JSONSchema => {
  const columns = oneOf(TABLE_COLUMNS[kind].map((column) => column.id));
  return object({
    type: constant(kind),
    title,
    columns: array(columns, 'three to six'),
    order_by: nullable(columns),
    order: ref('Order'),
    size: ref('Size'),
    scope: ref('Scope'),
    where,
    actions,
  });
};

const blocks: Record<string, JSONSchema> = {
  Stat: object(
    {
      type: constant('stat'),
      title,
      figures: array(
        object({
          label: text('what the figure is'),
          fact: text('a fact'),
          compare_to: nullable(text('a fact it is set against')),
          caption: nullable(text('one sentence with placeholders')),
        }),
        'one to four',
      ),
      actions,
    },
    'figures that stand for themselves',
  ),
  Chart: object(
    {
      type: constant('chart'),
      title,
      measures: array(ref('MeasureRef'), 'one to four'),
      by: ref('Dimension'),
      split: nullable(ref('Dimension')),
      draw: oneOf(
        ['line', 'bar', 'donut'],
        'line: over an order or time; bar: comparison; donut: parts of a sum',
      ),
      order: ref('Order'),
      size: ref('Size'),
      scope: ref('Scope'),
      where,
      actions,
    },
    'a measure over groups',
  ),
  Attempts: object(
    { type: constant('attempts'), title, feature: ref('Feature'), actions },
    'the story of one feature, attempt by attempt, as each source tells it',
  ),
  FeatureTable: table('feature_table'),
  CommitTable: table('commit_table'),
  FindingTable: table('finding_table'),
  GateTable: table('gate_table'),
  Ledger: object(
    {
      type: constant('ledger'),
      title,
      group: oneOf(['feature', 'use_case', 'state']),
      scope: ref('Scope'),
      where,
      actions,
    },
    'requirements by how far each is proven, with the evidence',
  ),
  Log: object(
    {
      type: constant('log'),
      title,
      around: oneOf(
        ['nothing', 'first_failure', 'last_failure', 'first_open_start', 'end'],
        'nothing: from the first entry in scope on; else the entries around that one',
      ),
      size: ref('Size'),
      scope: ref('Scope'),
      where,
      actions,
    },
    'entries of the logs as they were written',
  ),
  Timeline: object(
    {
      type: constant('timeline'),
      title,
      of: oneOf(
        ['builds', 'attempts', 'gates', 'entries'],
        'builds: one span a feature; attempts: as listed; gates: runs of gates with their verdict; entries: of the logs',
      ),
      scope: ref('Scope'),
      where,
      actions,
    },
    'what happened on a time axis, one row a feature',
  ),
  Note: object({ type: constant('note'), title, body: array(ref('Sentence')), actions }, 'a few sentences'),
};

/**
 * JSON Schema of a plan for strict structured output: the shapes of shared/plan.ts with the names of this record.
 * What it accepts, `Plan` accepts too; counts and lengths are the server's business (shared/limits.ts).
 * @param profile the record, or null for a schema without a word from any record
 */
export function planSchema(profile: RecordProfile | null): JSONSchema {
  const words = vocabularyOf(profile);
  return {
    ...object({
      about: object(
        { feature: nullable(ref('Feature')), scope: array(ref('Where'), 'usually empty') },
        'what the whole question is about',
      ),
      facts: array(ref('Fact')),
      premises: array(ref('Premise')),
      checks: array(ref('Check')),
      explanation: array(ref('Sentence'), 'one to four sentences for the chat'),
      blocks: array({ anyOf: Object.keys(blocks).map(ref) }, 'one to six cards, the answer first'),
      followUps: array(text('a question'), 'three'),
    }),
    $defs: { ...names(words), ...parts(words), ...statements, ...blocks },
  };
}
