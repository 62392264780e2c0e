import type { Dimension } from './dimensions.ts';

/** What Looplight's own answers can be grouped and filtered by. */
export const OWN_DIMENSIONS: readonly Dimension[] = [
  {
    id: 'own_answer',
    label: 'answer',
    meaning: 'one answer, by its question',
    kind: 'category',
    bases: ['own_answer'],
    synonyms: [],
  },
  {
    id: 'own_planner',
    label: 'planner',
    meaning: 'who wrote the plan of the answer',
    kind: 'category',
    bases: ['own_answer'],
    synonyms: [],
  },
  {
    id: 'own_end',
    label: 'end of the answer',
    meaning: 'how the answer ended',
    kind: 'category',
    bases: ['own_answer'],
    synonyms: [],
  },
  {
    id: 'own_asked_at',
    label: 'time asked',
    meaning: 'clock time at which it was asked',
    kind: 'time',
    bases: ['own_answer'],
    synonyms: [],
  },
];
