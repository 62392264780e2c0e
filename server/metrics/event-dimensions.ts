import type { Dimension } from './dimensions.ts';

type Given = Pick<Dimension, 'id' | 'label' | 'meaning' | 'bases' | 'synonyms'>;
const named = (given: Given): Dimension => ({ ...given, kind: 'category' });

/** What gate runs, requirements, attempts, log entries and test results can be grouped and filtered by. */
export const EVENT_DIMENSIONS: readonly Dimension[] = [
  named({
    id: 'gate',
    label: 'gate',
    meaning: 'gate or verifier that ran',
    bases: ['gate_event'],
    synonyms: ['gate', 'gates', 'kind of gate', 'verifier'],
  }),
  named({
    id: 'verdict',
    label: 'verdict',
    meaning: 'what the gate or the attempt came to',
    bases: ['gate_event', 'attempt'],
    synonyms: ['verdict', 'verdicts'],
  }),
  named({
    id: 'attribution',
    label: 'attribution',
    meaning: 'whose doing a failure was, where there is evidence',
    bases: ['gate_event', 'attempt'],
    synonyms: ['attribution', 'fault', 'whose fault', 'cause', 'who was at fault'],
  }),
  named({
    id: 'failure_family',
    label: 'family of the failure',
    meaning: "the verifier's own name for the kind of failure",
    bases: ['gate_event'],
    synonyms: ['family', 'failure family', 'kind of failure', 'family of the failure'],
  }),
  named({
    id: 'requirement',
    label: 'requirement',
    meaning: 'one requirement, by its id',
    bases: ['requirement'],
    synonyms: ['requirement'],
  }),
  named({
    id: 'requirement_state',
    label: 'state of proof',
    meaning: 'proven, likely, stale, claimed only, refuted or open',
    bases: ['requirement'],
    synonyms: ['state of proof', 'proof state', 'requirement state', 'state of the requirement'],
  }),
  named({
    id: 'requirement_kind',
    label: 'kind of requirement',
    meaning: 'criterion, step, use case or whole feature',
    bases: ['requirement'],
    synonyms: ['kind of requirement', 'requirement kind'],
  }),
  named({
    id: 'entry_kind',
    label: 'kind of entry',
    meaning: 'what a log entry tells, as its format classifies it',
    bases: ['log_event'],
    synonyms: ['kind of entry', 'entry kind', 'kind of event', 'event kind', 'kind of line', 'log kind'],
  }),
  named({
    id: 'level',
    label: 'level',
    meaning: 'info, warning or error',
    bases: ['log_event'],
    synonyms: ['level', 'log level', 'severity'],
  }),
  named({
    id: 'start_outcome',
    label: 'outcome of a start',
    meaning: 'of an entry that starts a check, whether an outcome follows: open or closed',
    bases: ['log_event'],
    synonyms: ['outcome of the start', 'open or closed start'],
  }),
  named({
    id: 'test_status',
    label: 'test status',
    meaning: 'status of the test result',
    bases: ['test_result'],
    synonyms: ['test status', 'status of the test', 'test outcome'],
  }),
  named({
    id: 'test_file',
    label: 'test file',
    meaning: 'file the test stands in',
    bases: ['test_result'],
    synonyms: ['test file', 'spec file'],
  }),
  named({
    id: 'framework',
    label: 'test framework',
    meaning: 'framework that ran the test',
    bases: ['test_result'],
    synonyms: ['framework', 'test framework', 'test runner'],
  }),
  {
    id: 'happened_at',
    label: 'time',
    meaning: 'clock time at which it began, or was written',
    kind: 'time',
    bases: ['gate_event', 'attempt', 'log_event', 'test_result'],
    synonyms: ['time it happened', 'time of the event'],
  },
];
