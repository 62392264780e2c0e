import { capital } from '../../shared/capital.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { AskingMenu } from '../../shared/wire.ts';
import { HARNESS_DIMENSIONS } from '../metrics/dimensions.ts';
import { fits } from '../metrics/fit.ts';
import { BASES, HARNESS_MEASURES, type Measure } from '../metrics/measures.ts';
import type { RecordProfile } from '../record/store.ts';
import { EVENT_QUESTIONS, eventQuestions, isAnswerable, QUESTIONS, tells } from './builtin/questions.ts';

type Base = Measure['base'];
const isBase = (text: string): text is Base => text in BASES;

/** How many rows a record has of what a measure counts; what is not counted by itself is taken to be there. */
function rowsOf(base: Base, { features, findings, counts }: RecordProfile): number {
  if (base === 'feature') return features.length;
  if (base === 'finding') return findings;
  if (base === 'request') return counts.llm_requests;
  if (base === 'session_time') return counts.sessions;
  const named: Readonly<Record<string, number>> = counts;
  return named[`${base}s`] ?? 1;
}

/**
 * What can be asked of one record, made of the semantic layer and the planner's own questions: nothing is offered that the
 * record has nothing on. Pure.
 */
export function askingMenu(profile: RecordProfile): AskingMenu {
  const events: readonly string[] = Object.values(EVENT_QUESTIONS);
  const held = eventQuestions(profile);
  const questions = [...held, ...Object.values(QUESTIONS)].filter(
    (question) => isAnswerable(question, profile) && (held.includes(question) || !events.includes(question)),
  );
  const subjects = Object.keys(BASES)
    .filter(isBase)
    .flatMap((base) => {
      const measures = HARNESS_MEASURES.filter(
        (measure) => measure.base === base && (measure.fact === null || tells(profile, measure.fact)),
      );
      if (measures.length === 0 || rowsOf(base, profile) === 0) return [];
      const by = HARNESS_DIMENSIONS.filter(
        (dimension) => dimension.id !== 'project' && measures.some((measure) => fits(measure, dimension)),
      );
      return [
        {
          name: capital(BASES[base].many),
          measures: measures.map(({ label, meaning }) => ({
            label: capital(label),
            meaning: capital(meaning),
          })),
          by: by.map(({ label }) => label),
        },
      ];
    });
  return {
    features: profile.features
      .slice(0, LIMITS.menuFeatures)
      .map(({ id, title, status }) => ({ id, title, status })),
    questions: [...new Set(questions)],
    subjects,
  };
}
