import { Monitor, Moon, Sun } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Health, ProjectInfo } from '../../../shared/wire.ts';
import { BoardTabs } from '../boards/BoardTabs.tsx';
import type { BoardsState } from '../boards/desk.ts';
import type { ProjectChoice } from '../projects/choice.ts';
import { ProjectSwitch } from '../projects/ProjectSwitch.tsx';
import { BrandMark } from './BrandMark.tsx';
import { onPlainClick } from './links.ts';
import { routePath } from './route.ts';
import { choose, currentChoice, nextChoice, type ThemeChoice } from './theme.ts';

interface TopBarProps {
  health: Health | null;
  /** The loaded projects, and the one on the page. */
  projects: readonly ProjectInfo[];
  project: ProjectChoice;
  onChooseProject(id: string): void;
  /** What is shown: the starting view, an answer or a board. */
  shown: 'start' | 'question' | 'board';
  /** Id of the newest answer, for the second tab; null when there is none. */
  answerId: string | null;
  /** Opens an answer, or the starting view. */
  onOpen(id: string | null): void;
  boards: BoardsState;
  /** The board that is shown, or null. */
  boardId: string | null;
  onOpenBoard(id: string): void;
  onNewBoard(): void;
}

export function TopBar(props: TopBarProps): ReactNode {
  const {
    health,
    projects,
    project,
    onChooseProject,
    shown,
    answerId,
    onOpen,
    boards,
    boardId,
    onOpenBoard,
    onNewBoard,
  } = props;
  const atStart = shown === 'start';
  const record = health?.record ?? null;
  const home = routePath({ view: 'start', project });
  return (
    <header className="top">
      <a
        className="brand"
        href={home}
        aria-label="Looplight, start"
        onClick={onPlainClick(() => onOpen(null))}
      >
        <BrandMark />
        <span>Looplight</span>
      </a>
      {record === null && projects.length < 2 ? null : (
        <div className="loaded">
          <ProjectSwitch
            projects={projects}
            choice={project}
            name={record?.project ?? null}
            onChoose={onChooseProject}
          />
          {record === null ? null : (
            <span>
              {/run/i.test(record.run ?? '') ? null : <span className="only-l">run </span>}
              {record.run}
            </span>
          )}
        </div>
      )}
      <nav className="tabs" aria-label="Views">
        <a href={home} aria-current={atStart ? 'page' : undefined} onClick={onPlainClick(() => onOpen(null))}>
          Start
        </a>
        {answerId === null && shown !== 'question' ? null : (
          <a
            href={answerId === null ? undefined : routePath({ view: 'answer', id: answerId, project })}
            aria-current={shown === 'question' ? 'page' : undefined}
            onClick={onPlainClick(() => answerId !== null && onOpen(answerId))}
          >
            This answer
          </a>
        )}
        <BoardTabs boards={boards} current={boardId} onOpen={onOpenBoard} onNew={onNewBoard} />
      </nav>
      <ThemeToggle />
    </header>
  );
}

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
