import type { ReactNode } from 'react';
import type { AnswerState, Progress } from '../app/state.ts';
import { duration, plural } from '../lib/words.ts';

const NAMES: Record<Progress['step'], string> = {
  premise: 'premise check',
  plan: 'plan',
  cards: 'cards resolved',
  verify: 'verified again',
};

/** The steps of an answer with their times, laid end to end on one scale. */
export function Way({ answer }: { answer: AnswerState }): ReactNode {
  const timed = answer.progress.filter((entry) => entry.ms !== null);
  const total = timed.reduce((sum, entry) => sum + (entry.ms ?? 0), 0);
  if (answer.ending === null || timed.length === 0) return null;
  let before = 0;
  const bars = timed.map((entry) => {
    const ms = entry.ms ?? 0;
    const bar = {
      entry,
      ms,
      left: total === 0 ? 0 : (100 * before) / total,
      width: total === 0 ? 0 : (100 * ms) / total,
    };
    before += ms;
    return bar;
  });
  return (
    <section className="way" aria-labelledby="way-title">
      <h3 id="way-title">
        How this answer was made<span>{duration(answer.ending.ms)}</span>
      </h3>
      <ol>
        {bars.map(({ entry, ms, left, width }) => (
          <li key={entry.step}>
            <span>
              {entry.step === 'cards'
                ? `${plural(answer.ending?.cards ?? 0, 'card')} resolved`
                : NAMES[entry.step]}
            </span>
            <span className="tr" aria-hidden="true">
              <i
                className={entry.step === 'verify' ? 'a' : undefined}
                style={{ left: `${left}%`, width: `${width}%` }}
              />
            </span>
            <span className="ms">{duration(ms)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
