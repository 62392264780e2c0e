import { EVENT_DIMENSIONS } from './event-dimensions.ts';
import type { Measure } from './measures.ts';
import { OWN_DIMENSIONS } from './own-dimensions.ts';
import { SESSION_DIMENSIONS, SHARED_BASES } from './session-dimensions.ts';

export interface Dimension {
  id: string;
  label: string;
  /** Title of an axis with its unit, where the label alone does not say it. */
  axis?: string;
  meaning: string;
  /** `category` has names, `number` and `time` have an order and take ranges. */
  kind: 'category' | 'number' | 'time';
  /** Bases it exists for. */
  bases: readonly Measure['base'][];
  synonyms: string[];
}

const d = (dimension: Dimension): Dimension => dimension;

/** Everything results can be grouped and filtered by. */
export const DIMENSIONS: readonly Dimension[] = [
  d({
    id: 'feature',
    label: 'feature',
    meaning: 'one feature, by number or id',
    kind: 'category',
    bases: ['feature', 'commit', 'finding', 'gate_event', 'requirement', 'attempt', 'log_event'],
    synonyms: ['features', 'feature', 'item', 'task', 'each'],
  }),
  d({
    id: 'category',
    label: 'category',
    meaning: 'category of the feature',
    kind: 'category',
    bases: ['feature', 'commit', 'finding', 'gate_event', 'requirement', 'attempt', 'log_event'],
    synonyms: ['categories', 'category', 'area', 'group', 'kind'],
  }),
  d({
    id: 'status',
    label: 'status',
    meaning: 'accepted, in progress, blocked (waits for a human), failed, skipped or pending',
    kind: 'category',
    bases: ['feature'],
    synonyms: ['status', 'state', 'outcome', 'result'],
  }),
  d({
    id: 'run',
    label: 'run',
    meaning: 'run of the harness',
    kind: 'category',
    bases: [
      'feature',
      'commit',
      'finding',
      'run',
      'gate_event',
      'requirement',
      'attempt',
      'log_event',
      'test_result',
    ],
    synonyms: ['runs', 'run'],
  }),
  d({
    id: 'project',
    label: 'project',
    meaning: 'one of the projects that are compared',
    kind: 'category',
    bases: [
      'feature',
      'commit',
      'finding',
      'run',
      'gate_event',
      'requirement',
      'attempt',
      'log_event',
      'test_result',
    ],
    synonyms: [],
  }),
  d({
    id: 'order',
    label: 'order of acceptance',
    meaning: 'position of the feature in the run, by the time it was finished',
    kind: 'number',
    bases: ['feature'],
    synonyms: ['over the run', 'order', 'sequence', 'trend', 'progress', 'over time'],
  }),
  d({
    id: 'completed_at',
    label: 'time finished',
    meaning: 'clock time at which the feature was finished',
    kind: 'time',
    bases: ['feature'],
    synonyms: ['time of day', 'clock', 'when'],
  }),
  d({
    id: 'score',
    label: 'final score',
    axis: 'final score, of 10',
    meaning: 'final score of the feature, of ten',
    kind: 'number',
    bases: ['feature'],
    synonyms: ['by score', 'score distribution'],
  }),
  d({
    id: 'attempts',
    label: 'attempts',
    meaning: 'attempts of the feature',
    kind: 'number',
    bases: ['feature'],
    synonyms: ['by attempts', 'number of attempts'],
  }),
  d({
    id: 'build_time',
    label: 'build time',
    axis: 'build time, s',
    meaning: 'build seconds of the feature',
    kind: 'number',
    bases: ['feature'],
    synonyms: [],
  }),
  d({
    id: 'lines_added',
    label: 'lines added',
    meaning: 'lines added by the feature',
    kind: 'number',
    bases: ['feature'],
    synonyms: [],
  }),
  d({
    id: 'disputed',
    label: 'disputed',
    meaning: 'whether the sources disagree about the feature',
    kind: 'category',
    bases: ['feature'],
    synonyms: ['disputed or not'],
  }),
  d({
    id: 'source',
    label: 'source',
    meaning: 'which source says it',
    kind: 'category',
    bases: ['feature', 'run'],
    synonyms: ['sources', 'source', 'file'],
  }),
  d({
    id: 'phase',
    label: 'phase',
    meaning: 'commit before, during or after the run',
    kind: 'category',
    bases: ['commit'],
    synonyms: ['phase', 'before', 'after'],
  }),
  d({
    id: 'commit_kind',
    label: 'kind of commit',
    meaning: 'accepting, skipping or other commit',
    kind: 'category',
    bases: ['commit'],
    synonyms: ['kind of commit', 'commit kind'],
  }),
  d({
    id: 'rule',
    label: 'audit rule',
    meaning: 'rule that made the finding',
    kind: 'category',
    bases: ['finding'],
    synonyms: ['rule', 'rules'],
  }),
  ...EVENT_DIMENSIONS,
  ...SESSION_DIMENSIONS,
  ...OWN_DIMENSIONS,
].map(withSessions);

/** The same for tables of sessions, where they have it too. */
function withSessions(dimension: Dimension): Dimension {
  const shared: Readonly<Record<string, readonly Measure['base'][]>> = SHARED_BASES;
  const bases = Object.hasOwn(shared, dimension.id) ? shared[dimension.id] : undefined;
  return bases === undefined ? dimension : { ...dimension, bases: [...dimension.bases, ...bases] };
}

/** Dimensions of a harness's record. */
export const HARNESS_DIMENSIONS: readonly Dimension[] = DIMENSIONS.filter(({ bases }) =>
  bases.some((base) => base !== 'own_answer'),
);

const byId = new Map(DIMENSIONS.map((dimension) => [dimension.id, dimension]));
/** The dimension with this id, or undefined when there is none. */
export const dimensionById = (id: string): Dimension | undefined => byId.get(id);
