import type { Code } from '../../../shared/codes.ts';
import type { About } from '../../../shared/plan.ts';
import type { RecordProfile } from '../../record/store.ts';

/** Something in a plan that does not hold, as data: painting goes by `costs`, a planner that is asked again by `says`. */
export interface Issue {
  /** Where, as in `blocks[0].measures[1]`; relative to the block when one block is checked. */
  path: string;
  code: Code;
  /** What is wrong and, where known, what would be right: a sentence for the planner and the log. */
  says: string;
  /** What is left out because of it: the card, the part that `path` names, or nothing. */
  costs: 'card' | 'part' | 'nothing';
}

/** What names in a plan are looked up in, besides the catalog. */
export interface ValidateContext {
  profile: RecordProfile;
  /** Null for the starting view. */
  question: string | null;
  /** Evidence that was given to the planner. */
  evidence: readonly { id: string }[];
}

/** What a block may name: the context, and what the plan declared before it. */
export interface BlockContext extends ValidateContext {
  about: About;
  facts: ReadonlySet<string>;
  /** Names of premises and checks. */
  outcomes: ReadonlySet<string>;
}

export const unbound = (path: string, says: string, costs: Issue['costs'] = 'card'): Issue => ({
  path,
  code: 'block_unbound',
  says,
  costs,
});

/** A part of a name for a message: bounded, on one line. */
export const quoted = (name: string): string => `"${name.replace(/\s+/g, ' ').slice(0, 60)}"`;
