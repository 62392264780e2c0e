/** Questions about Looplight's own answers. */

export const OWN_QUESTIONS = [
  'How long did my answers take to the first card?',
  'How many cards were dropped?',
  'Which of my answers took longest?',
] as const;

/** Words of a question about answers themselves, each between single spaces. */
const ABOUT_ANSWERS = [
  /\b(?:my|your|own|kept|looplight|looplight s)(?: own| kept| last| earlier)* answers?\b/,
  /\bfirst card\b/,
  /\bcards? (?:were |was |have been |got |did looplight )?(?:dropped|left out|repaired|trimmed|unverified|corrected)\b/,
  /\b(?:dropped|repaired|trimmed|unverified|corrected) cards?\b/,
  /\bhow (?:fast|slow|quick) (?:is|was|does) looplight\b/,
];

/** Letters and digits of a question in lower case, one space between words. */
export const plainWords = (question: string): string =>
  question
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a question is about the answers Looplight gave, not about a run. */
export function asksOwn(question: string): boolean {
  const words = plainWords(question);
  return ABOUT_ANSWERS.some((pattern) => pattern.test(words));
}
