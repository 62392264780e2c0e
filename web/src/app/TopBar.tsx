import { Monitor, Moon, Sun } from 'lucide-react';
import { type MouseEvent, type ReactNode, useState } from 'react';
import type { Health } from '../../../shared/wire.ts';
import { BrandMark } from './BrandMark.tsx';
import { routePath } from './route.ts';
import { choose, currentChoice, nextChoice, type ThemeChoice } from './theme.ts';

interface TopBarProps {
  health: Health | null;
  /** Whether the starting view is shown. */
  atStart: boolean;
  /** Id of the newest answer, for the second tab; null when there is none. */
  answerId: string | null;
  /** Opens an answer, or the starting view. */
  onOpen(id: string | null): void;
}

export function TopBar({ health, atStart, answerId, onOpen }: TopBarProps): ReactNode {
  const record = health?.record ?? null;
  return (
    <header className="top">
      <a className="brand" href="/" aria-label="Looplight, start" onClick={onPlainClick(() => onOpen(null))}>
        <BrandMark />
        <span>Looplight</span>
      </a>
      {record === null ? null : (
        <p className="loaded">
          <b>{record.project}</b>
          <span>
            <span className="only-l">run </span>
            {record.run}
          </span>
        </p>
      )}
      <nav className="tabs" aria-label="Views">
        <a href="/" aria-current={atStart ? 'page' : undefined} onClick={onPlainClick(() => onOpen(null))}>
          Start
        </a>
        {answerId === null && atStart ? null : (
          <a
            href={answerId === null ? undefined : routePath({ view: 'answer', id: answerId })}
            aria-current={atStart ? undefined : 'page'}
            onClick={onPlainClick(() => answerId !== null && onOpen(answerId))}
          >
            This answer
          </a>
        )}
      </nav>
      <ThemeToggle />
    </header>
  );
}

/** Follows a link inside the page; with a modifier key the browser opens its address as usual. */
export const onPlainClick =
  (action: () => void) =>
  (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    action();
  };

const icons = { system: Monitor, light: Sun, dark: Moon } as const;
const words: Record<ThemeChoice, string> = { system: 'as the system', light: 'light', dark: 'dark' };

function ThemeToggle(): ReactNode {
  const [choice, setChoice] = useState(currentChoice);
  const Icon = icons[choice];
  const next = nextChoice(choice);
  return (
    <button
      type="button"
      className="ib theme"
      aria-label={`Theme: ${words[choice]}. Change to ${words[next]}`}
      title={`Theme: ${words[choice]}`}
      onClick={() => {
        choose(next);
        setChoice(currentChoice());
      }}
    >
      <Icon className="i" aria-hidden="true" />
    </button>
  );
}
