import { Check, ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useCallback, useState } from 'react';
import type { ProjectInfo } from '../../../shared/wire.ts';
import { plural } from '../lib/words.ts';

interface ProjectMenuProps {
  projects: readonly ProjectInfo[];
  /** Id of the project on the page. */
  current: string;
  name: string;
  onChoose(id: string): void;
}

const stateWords = ({ state, features, findings }: ProjectInfo): string => {
  if (state === 'empty') return 'nothing was found';
  if (state === 'unreadable') return 'cannot be read';
  return `${plural(features, 'feature')}, ${plural(findings, 'finding')}`;
};

/** The project on the page, and the way to another one. Not modal: the page below stays as it is. */
export default function ProjectMenu({ projects, current, name, onChoose }: ProjectMenuProps): ReactNode {
  // Inside the header, so that what a screen reader finds there stays in its region.
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const trigger = useCallback(
    (element: HTMLElement | null) => setPlace(element?.closest('header') ?? null),
    [],
  );
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        ref={trigger}
        className="project-now"
        aria-label={`Project: ${name}. Choose another one`}
      >
        <b>{name}</b>
        <ChevronDown className="i" aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={place}>
        <DropdownMenu.Content className="project-menu" align="start" sideOffset={6} collisionPadding={8}>
          <DropdownMenu.Label className="project-menu-title">Projects</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={current} onValueChange={onChoose}>
            {projects.map((project) => (
              <DropdownMenu.RadioItem key={project.id} value={project.id} className="project-item">
                <span className="project-mark">
                  <DropdownMenu.ItemIndicator>
                    <Check className="i" aria-hidden="true" />
                  </DropdownMenu.ItemIndicator>
                </span>
                <span className="project-name">{project.name}</span>
                <span className="project-more">
                  {[project.harnesses.join(', '), stateWords(project), project.path]
                    .filter((part) => part !== '')
                    .join(' · ')}
                </span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
