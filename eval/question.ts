import { readFileSync } from 'node:fs';
import { z } from 'zod/v4';

/**
 * One question of the evaluation, with what has to be in its answer. Only what is named is required. Expected values were taken
 * from the demo records' own files and READMEs, not from Looplight's answers.
 */
export const Question = z.strictObject({
  id: z.string(),
  /** What kind of question it is; scores are reported by it. */
  family: z.string(),
  /** Folder of data/ it is asked about. */
  record: z.enum(['agentforge', 'agent-loop', 'guardiankane', 'sessions']),
  ask: z.string(),
  /** Earlier questions of the conversation, oldest first. */
  after: z.array(z.string()).optional(),
  expect: z.strictObject({
    /** Measures that must be asked of the record; `a|b` is either. */
    measures: z.array(z.string()).optional(),
    /** Grouping some chart or fact must have; `a|b` is either. */
    by: z.string().optional(),
    /** `dim=value,value`, `dim!=value`, `dim>=from`, `dim<=to` or `dim>=from&<=to` (any filter of the plan). */
    where: z.array(z.string()).optional(),
    /** The feature the answer is about. */
    feature: z.string().optional(),
    /** Kinds of cards that must be there; `a|b` is either. */
    cards: z.array(z.string()).optional(),
    /** Numbers or words that must be in the words of the answer: its explanation, notes, figures and premise cards. */
    says: z.array(z.union([z.string(), z.number()])).optional(),
    /** The same, anywhere in the answer: points of charts and cells of tables too. */
    shows: z.array(z.union([z.string(), z.number()])).optional(),
    /** Must be nowhere in the words of the answer. */
    not: z.array(z.union([z.string(), z.number()])).optional(),
  }),
});
export type Question = z.infer<typeof Question>;

/** Reads one file of questions. Throws where an entry is not a question or an id comes twice. */
export function readQuestions(file: URL): Question[] {
  const questions = z.array(Question).parse(JSON.parse(readFileSync(file, 'utf8')));
  const ids = new Set(questions.map(({ id }) => id));
  if (ids.size < questions.length) throw new Error(`${file.pathname}: an id comes twice`);
  return questions;
}
