import type { ReactNode } from 'react';
import type { Took } from '../../../shared/wire.ts';
import type { AnswerState, Progress } from '../app/state.ts';
import { duration, plural } from '../lib/words.ts';

const NAMES: Record<Progress['step'], string> = {
  premise: 'premise check',
  plan: 'plan',
  cards: 'cards resolved',
  verify: 'verified again',
};

/**
 * Where each step lies on the time of the whole answer, in per cent. The check before the plan comes first, the second
 * check last, and the cards are resolved up to it, while the plan is still being read.
 */
function bars(answer: AnswerState, total: number) {
  const ms = (step: Progress['step']): number =>
    Math.min(total, answer.progress.find((entry) => entry.step === step)?.ms ?? 0);
  const starts: Record<Progress['step'], number> = {
    premise: 0,
    plan: ms('premise'),
    cards: Math.max(ms('premise'), total - ms('verify') - ms('cards')),
    verify: total - ms('verify'),
  };
  return answer.progress
    .filter((entry) => entry.ms !== null)
    .map(({ step }) => {
      const left = Math.min(starts[step], total);
      return {
        step,
        ms: ms(step),
        left: (100 * left) / total,
        width: (100 * Math.min(ms(step), total - left)) / total,
      };
    });
}

/** What came first and when, and what the plan took of a model, in words. */
export function tookWords({ firstTextMs, firstCardMs, tokens }: Took): string {
  return [
    ...(firstTextMs === null ? [] : [`plan began after ${duration(firstTextMs)}`]),
    ...(firstCardMs === null ? [] : [`first card after ${duration(firstCardMs)}`]),
    ...(tokens === null
      ? []
      : [`${plural(tokens.in, 'token')} read and ${plural(tokens.out, 'token')} written by the model`]),
  ].join(', ');
}

/** The steps of an answer with their times, on one scale. */
export function Way({ answer }: { answer: AnswerState }): ReactNode {
  const { ending } = answer;
  const steps = ending === null ? [] : bars(answer, Math.max(1, ending.ms));
  if (ending === null || steps.length === 0) return null;
  return (
    <section className="way" aria-labelledby="way-title">
      <h3 id="way-title">
        How this answer was made<span>{duration(ending.ms)}</span>
      </h3>
      <ol>
        {steps.map(({ step, ms, left, width }) => (
          <li key={step}>
            <span>{step === 'cards' ? `${plural(ending.cards, 'card')} resolved` : NAMES[step]}</span>
            <span className="tr" aria-hidden="true">
              <i
                className={step === 'verify' ? 'a' : undefined}
                style={{ left: `${left}%`, width: `${width}%` }}
              />
            </span>
            <span className="ms">{duration(ms)}</span>
          </li>
        ))}
      </ol>
      {ending.took === undefined ? null : <p className="took">{tookWords(ending.took)}</p>}
    </section>
  );
}
