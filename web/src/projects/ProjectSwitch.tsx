import { lazy, type ReactNode, Suspense } from 'react';
import type { ProjectInfo } from '../../../shared/wire.ts';
import { chosenProject, type ProjectChoice } from './choice.ts';

/** Fetched only where there is more than one project to choose from. */
const ProjectMenu = lazy(() => import('./ProjectMenu.tsx'));

interface ProjectSwitchProps {
  projects: readonly ProjectInfo[];
  choice: ProjectChoice;
  /** Name of the project as its record has it, where that is known. */
  name: string | null;
  onChoose(id: string): void;
}

/** The name of the project on the page; with several it is a menu. */
export function ProjectSwitch({ projects, choice, name, onChoose }: ProjectSwitchProps): ReactNode {
  const chosen = chosenProject(choice, projects);
  const shown = chosen?.name ?? name ?? choice ?? '';
  if (projects.length < 2) return shown === '' ? null : <b>{shown}</b>;
  return (
    <Suspense fallback={<b>{shown}</b>}>
      <ProjectMenu
        projects={projects}
        current={chosen?.id ?? ''}
        name={shown === '' ? 'none' : shown}
        onChoose={onChoose}
      />
    </Suspense>
  );
}
