import type { ReactNode } from 'react';
import { keyed } from '../keyed.ts';
import type { Panel } from './model.ts';

/** Names of several series with their look; one series needs none, its name is on the axis. */
export function Legend({ panel, lines }: { panel: Panel; lines: boolean }): ReactNode {
  if (panel.series.length < 2) return null;
  return (
    <ul className={lines ? 'legend legend-lines' : 'legend'} aria-hidden="true">
      {keyed(panel.series, (series) => series.label).map(({ key, item }) => (
        <li key={key}>
          {item.claimed && !lines ? (
            <i className="sw c" />
          ) : (
            <i
              className={lines ? `sw-line${item.claimed ? ' dashed' : ''}` : 'sw'}
              style={{ '--own': `var(${item.colour ?? '--measured'})` }}
            />
          )}
          {item.label}
          {item.claimed ? ', claimed' : ''}
        </li>
      ))}
    </ul>
  );
}
