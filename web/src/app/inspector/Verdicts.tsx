import type { ReactNode } from 'react';
import type { Trace, Verdict } from '../../../../shared/wire.ts';
import { keyed } from '../../cards/keyed.ts';
import { Shape, type ShapeName } from '../../cards/shape.tsx';

const SHAPES: Record<Verdict['state'], ShapeName> = {
  verified: 'check',
  corrected: 'half',
  dropped: 'bang',
  unverified: 'bang',
};

/** What became of every card in the second check. */
export function Verdicts({ trace }: { trace: Trace }): ReactNode {
  const titles = new Map(trace.cards.map(({ card, title }) => [card, title]));
  return (
    <section>
      <h3>Verification</h3>
      {trace.verdicts.length === 0 ? (
        <p className="sub">This answer was not checked a second time.</p>
      ) : (
        <ul className="out verdicts">
          {keyed(trace.verdicts, ({ card }) => card).map(({ key, item }) => (
            <li key={key}>
              <p>
                <Shape name={SHAPES[item.state]} /> <b>{titles.get(item.card) || item.card}</b>{' '}
                <span className="did">{item.state}</span>
              </p>
              {item.reasons.length === 0 ? null : (
                <ul>
                  {keyed(item.reasons, (reason) => reason).map((reason) => (
                    <li key={reason.key}>{reason.item}</li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
