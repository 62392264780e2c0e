import type { ReactNode } from 'react';
import type { Progress } from '../app/state.ts';
import { Shape } from '../cards/shape.tsx';
import { duration } from '../lib/words.ts';

/** What the server has done for this answer and what it is doing, in the order it began. */
export function ProgressList({
  progress,
  live,
}: {
  progress: readonly Progress[];
  live: boolean;
}): ReactNode {
  if (progress.length === 0) return null;
  return (
    <ol className="plog">
      {progress.map((entry) => (
        <li key={entry.step} className={entry.done ? undefined : live ? 'now' : 'later'}>
          <Shape name={entry.done ? 'check' : live ? 'pending' : 'bang'} />
          {entry.says}
          {entry.done && entry.ms !== null ? <span>{duration(entry.ms)}</span> : null}
          {entry.done || live ? null : <span>not finished</span>}
        </li>
      ))}
      {!live || progress.some((entry) => entry.step === 'verify') ? null : (
        <li className="later">
          <Shape name="pending" />
          Every figure checked a second time
        </li>
      )}
    </ol>
  );
}
