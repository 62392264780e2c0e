import type { PaletteGroup } from '../asking/Palette.tsx';
import type { BoardsState } from '../boards/desk.ts';
import type { Session } from './session.ts';
import type { State } from './state.ts';
import { choose, type ThemeChoice } from './theme.ts';

const THEMES: readonly [choice: ThemeChoice, label: string][] = [
  ['system', 'Theme as the system'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
];

/** What the palette leads to beside questions: kept answers, boards, projects, and settings of the page. */
export function paletteGroups(
  state: State,
  { boards }: BoardsState,
  session: Pick<Session, 'open' | 'openBoard' | 'choose'>,
  page: { help(): void; newBoard: (() => void) | null },
): PaletteGroup[] {
  const asked = state.archive ?? state.earlier.map(({ id, question }) => ({ id, question }));
  return [
    {
      name: 'Answers',
      items: asked.map(({ id, question }) => ({ id, label: question, run: () => session.open(id) })),
    },
    {
      name: 'Boards',
      items: [
        ...boards.map(({ id, name }) => ({ id, label: name, run: () => session.openBoard(id) })),
        ...(page.newBoard === null ? [] : [{ id: 'new', label: 'New board', run: page.newBoard }]),
      ],
    },
    {
      name: 'Projects',
      items:
        state.projects.length < 2
          ? []
          : state.projects.map(({ id, name, path }) => ({
              id,
              label: name,
              hint: path,
              run: () => session.choose(id),
            })),
    },
    {
      name: 'Page',
      items: [
        { id: 'start', label: 'Start', run: () => session.open(null) },
        { id: 'help', label: 'What can I ask?', run: page.help },
        ...THEMES.map(([choice, label]) => ({ id: choice, label, run: () => choose(choice) })),
      ],
    },
  ];
}
