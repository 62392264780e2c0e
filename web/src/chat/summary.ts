import type { Inline, Paragraph } from '../../../shared/cards.ts';
import { currentAnswer, isLive, type State } from '../app/state.ts';
import { formatFigure } from '../cards/format.ts';
import { plural } from '../lib/words.ts';

const inlineText = (inline: Inline): string => {
  switch (inline.kind) {
    case 'figure':
      return formatFigure(inline.figure);
    case 'cite':
      return '';
    case 'feature':
      return inline.title;
    default:
      return inline.text;
  }
};

/** The beginning of an explanation as plain text: its first sentence, and the second when only that has a number. */
export function firstWords(paragraphs: readonly Paragraph[]): string {
  const text = (paragraphs[0]?.inlines ?? []).map(inlineText).join('').trim();
  const [first, second] = text.split(/(?<=[.?])\s+/, 2);
  if (first === undefined || second === undefined) return text;
  return /\d/.test(first) ? first : `${first} ${second}`;
}

/** The one line of the closed sheet: the answer in a sentence, what is being done, or what can be asked. */
export function summaryLine(state: State): string {
  const answer = currentAnswer(state);
  if (answer?.kind === 'question') {
    if (isLive(answer))
      return answer.progress.findLast((entry) => !entry.done)?.says ?? 'Reading the question';
    return firstWords(answer.paragraphs) || 'The conversation';
  }
  const questions = state.health?.record?.suggestions.length ?? 0;
  return questions === 0 ? 'The conversation' : `${plural(questions, 'question')} this record can answer`;
}
