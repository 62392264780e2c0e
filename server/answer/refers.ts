import { createHash } from 'node:crypto';
import { OPENERS, OPENING_PHRASES, PRONOUNS } from '../planner/builtin/lexicon.ts';
import { tokenize } from '../planner/builtin/tokens.ts';
import type { Turn } from './types.ts';

/** A question of so few words may lean on the one before it, whatever the words are. */
const FEW = 3;

/**
 * Whether a question may only be understood with the turns before it ("and by category?", "why?", "how long did it take?").
 * Rather once too often: then a plan that was kept is not used, and nothing else happens.
 */
function mayRefer(question: string): boolean {
  const words = tokenize(question).map(({ text }) => text);
  const text = words.join(' ');
  return (
    words.length <= FEW ||
    OPENERS.has(words[0] ?? '') ||
    words.some((word) => PRONOUNS.has(word)) ||
    OPENING_PHRASES.some((phrase) => phrase.includes(' ') && text.startsWith(`${phrase} `))
  );
}

/** A digest of the earlier turns a question may refer to; '' when it stands alone. Equal turns give equal digests. */
export function contextOf(question: string, turns: readonly Turn[]): string {
  if (turns.length === 0 || !mayRefer(question)) return '';
  return createHash('sha256').update(JSON.stringify(turns)).digest('hex').slice(0, 16);
}
