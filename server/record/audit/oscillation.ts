import type { IterationData } from '../ingest/agent-loop/event-data.ts';
import { about, type LoopRun, loopRuns, type Told } from './loop-runs.ts';
import type { Finding, Rule } from './rule.ts';

const RULE = 'oscillation';

/** Words that say nothing about what a sentence is about. */
const EMPTY = new Set(
  'a an and are as at be because been by for from had has have in into is it its no not of on or so still than that the then there this to was were when where which with'.split(
    ' ',
  ),
);
/** Share of words two texts must have in common to be the same one. */
const SAME = 0.7;
/** A fix that takes an earlier one back says so. */
const TAKEN_BACK =
  /\b(?:revert(?:s|ed|ing)?|undo(?:es|ne|ing)?|undid|restor(?:e|es|ed|ing)|rolled? back|put back|back to (?:the|how|what)|took out again|take out again|removed again|as (?:it was )?before)\b/i;

const wordsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 200).filter((word) => !EMPTY.has(word)),
  );

/** Whether two texts are made of mostly the same words. */
export function sameWords(a: string, b: string): boolean {
  const [x, y] = [wordsOf(a), wordsOf(b)];
  if (x.size === 0 || y.size === 0) return false;
  const shared = [...x].filter((word) => y.has(word)).length;
  return shared / (x.size + y.size - shared) >= SAME;
}

interface Pair {
  earlier: Told<IterationData>;
  later: Told<IterationData>;
  why: string;
}

/** The first iteration that goes in a circle, and the one it returns to. */
function circleOf({ iterations }: LoopRun): Pair | null {
  for (const [i, later] of iterations.entries()) {
    for (const earlier of iterations.slice(0, i)) {
      const [cause, before] = [later.data.rootCause, earlier.data.rootCause];
      if (cause !== null && before !== null && sameWords(cause, before))
        return { earlier, later, why: 'names the same root cause as' };
      const [fix, first] = [later.data.fix, earlier.data.fix];
      if (fix !== null && first !== null && sameWords(fix, first) && !TAKEN_BACK.test(first))
        return { earlier, later, why: 'makes the same fix as' };
    }
    const earlier = iterations[i - 1];
    if (earlier && later.data.fix !== null && TAKEN_BACK.test(later.data.fix))
      return { earlier, later, why: 'takes back what was done in' };
  }
  return null;
}

/** A debugger that goes in a circle does not get nearer by another turn. */
export const oscillation: Rule = {
  id: RULE,
  sentence: 'A debug iteration returns to the root cause of an earlier one, or takes its fix back.',
  find: async (query) =>
    (await loopRuns(query)).flatMap((run): Finding[] => {
      const circle = circleOf(run);
      if (!circle) return [];
      const { earlier, later, why } = circle;
      const says = `Debug iteration ${later.data.n} of ${run.folder} ${why} iteration ${earlier.data.n}`;
      return [{ ...about(run, RULE, 'warning', says, [earlier.place, later.place]), fact: 'attempts' }];
    }),
};
