import { type ReactNode, useId } from 'react';
import type { LedgerCard } from '../../../../shared/cards.ts';
import { REQUIREMENT_STATES } from '../../../../shared/outcomes.ts';
import { HatchPattern } from '../hatch.tsx';

/** All requirements as one bar: solid is checked, hatched is only claimed, empty is open. The list below says the same. */
export function StateBar({ states }: { states: LedgerCard['states'] }): ReactNode {
  const hatch = useId();
  const sum = states.reduce((total, { figure }) => total + Math.max(0, figure.value ?? 0), 0);
  if (sum === 0) return null;
  let before = 0;
  const parts = states
    .filter(({ figure }) => (figure.value ?? 0) > 0)
    .map(({ state, figure }) => {
      const share = (figure.value ?? 0) / sum;
      const part = { state, x: before, share, count: figure.value ?? 0 };
      before += share;
      return part;
    });
  const says = parts.map(({ state, count }) => `${count} ${REQUIREMENT_STATES[state]}`).join(', ');
  return (
    <svg className="le-bar" width="100%" height="22" role="img" aria-label={`Requirements by state: ${says}`}>
      <defs>
        <HatchPattern id={hatch} />
      </defs>
      {parts.map(({ state, x, share }) => {
        const box = { x: `${x * 100}%`, y: 1, width: `${share * 100}%`, height: 20 };
        return (
          <g key={state}>
            <rect {...box} className={`le-part p-${state}`} />
            {state === 'claimed_only' ? <rect {...box} fill={`url(#${hatch})`} className="hx" /> : null}
          </g>
        );
      })}
    </svg>
  );
}
