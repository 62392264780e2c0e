import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Board } from '../../../shared/wire.ts';
import type { PageActions } from '../a2ui/page-context.ts';
import { useMenu } from '../asking/use-menu.ts';
import { BoardHead } from '../boards/BoardHead.tsx';
import type { BoardDesk } from '../boards/desk.ts';
import { NoticeBar } from '../boards/NoticeBar.tsx';
import { PinDialog, type PinTarget } from '../boards/PinDialog.tsx';
import { Canvas } from '../canvas/Canvas.tsx';
import type { ChatActions } from '../chat/actions.ts';
import { Chat } from '../chat/Chat.tsx';
import { postChange } from '../lib/change.ts';
import { aboutWords } from '../projects/choice.ts';
import { Drawer } from './drawer/Drawer.tsx';
import { useOpenFigure } from './drawer/use-open-figure.ts';
import { Heading } from './Heading.tsx';
import { isTyping, useMedia, usePageKeys } from './hooks.ts';
import { useInspector } from './inspector/use-inspector.ts';
import { paletteGroups } from './palette-groups.ts';
import type { Session } from './session.ts';
import { type AnswerState, currentAnswer, isLive, type State } from './state.ts';
import { TopBar } from './TopBar.tsx';

/** Fetched when they are first opened. */
const Inspector = lazy(() => import('./inspector/Inspector.tsx'));
const Palette = lazy(() => import('../asking/Palette.tsx'));
const AskingHelp = lazy(() => import('../asking/AskingHelp.tsx'));

/** The page: top bar, canvas, chat, and the drawer over them. */
export function App({ session, boards }: { session: Session; boards: BoardDesk }): ReactNode {
  const board = useSyncExternalStore(boards.subscribe, boards.state);
  const [pinning, setPinning] = useState<PinTarget | null>(null);
  const state = useSyncExternalStore(session.subscribe, session.state);
  const current = currentAnswer(state);
  const [evidence, setEvidence] = useOpenFigure(state.current);
  // A board is made of many plans; each has its way in its own answer.
  const inspectable = current?.phase === 'done' && current.kind !== 'board' ? current.id : null;
  const inspector = useInspector(state.current, inspectable !== null);
  const [sheet, setSheet] = useState(false);
  const [over, setOver] = useState<'palette' | 'help' | null>(null);
  const menu = useMenu(state.project, state.health?.record?.fingerprint ?? null, over !== null);
  const [side, setSide] = useState(true);
  const wide = useMedia('(min-width: 1200px)');
  const place = wide && side ? 'side' : 'bar';
  const box = useRef<HTMLTextAreaElement>(null);

  const busy = state.current !== state.canvas;
  const mayPin = board.kept && current?.kind === 'question' && current.replay === null;
  const changeFrom = isPinnable(current) ? (current?.id ?? null) : null;
  const pinFrom = mayPin && isPinnable(current) ? (current?.id ?? null) : null;
  const page = useMemo<PageActions>(
    () => ({
      openEvidence: setEvidence,
      cardFailed: session.report,
      busy,
      ...(changeFrom === null
        ? {}
        : {
            changeCard: {
              apply(card: string, control: string | null, value: string) {
                void postChange(changeFrom, card, control === null ? null : { control, value });
              },
            },
          }),
      ...(mayPin
        ? {
            pinCard: {
              ready: pinFrom !== null,
              open(card: string, title: string) {
                if (pinFrom !== null) setPinning({ answer: pinFrom, card, title });
              },
            },
          }
        : {}),
    }),
    [session, setEvidence, busy, mayPin, pinFrom, changeFrom],
  );
  const actions = useMemo<ChatActions>(
    () => ({
      ask(question) {
        setSheet(false);
        session.ask(question);
      },
      open(id) {
        setSheet(false);
        session.open(id);
      },
      forget: session.forget,
      forgetAll: session.forgetAll,
      openEvidence: setEvidence,
      help: () => setOver('help'),
    }),
    [session, setEvidence],
  );
  const openPalette = useCallback(() => setOver('palette'), []);

  const closeDrawers = useCallback(() => {
    setEvidence(null);
    inspector.close();
  }, [setEvidence, inspector.close]);

  useTitle(current === null ? null : named(current, board.boards));
  useShortcuts(state, evidence !== null || inspector.open, session, closeDrawers, box, openPalette);

  return (
    <div className="app" data-chat={place}>
      <a className="skip" href="#canvas">
        Skip to the cards
      </a>
      <TopBar
        health={state.health}
        projects={state.projects}
        project={state.project}
        onChooseProject={session.choose}
        shown={current?.kind ?? 'start'}
        boards={board}
        boardId={current?.board ?? null}
        onOpenBoard={session.openBoard}
        onNewBoard={() => setPinning({ answer: null, card: null, title: null })}
        answerId={newestId(state, current)}
        onOpen={session.open}
      />
      <main className="canvas" id="canvas" tabIndex={-1}>
        <div className="inner">
          {current === null ? null : (
            <Heading
              answer={named(current, board.boards)}
              about={aboutWords(current.projects, state.projects)}
              offline={state.offline}
              onClose={() => session.open(null)}
              onStop={session.stop}
              onResume={session.resume}
              onInspect={() => {
                setEvidence(null);
                inspector.show();
              }}
              onAskAnew={session.askAnew}
              onPin={pinFrom === null ? null : () => setPinning({ answer: pinFrom, card: null, title: null })}
            >
              {current.board === null ? null : (
                <BoardHead
                  board={board.boards.find(({ id }) => id === current.board) ?? null}
                  desk={boards}
                />
              )}
            </Heading>
          )}
          <Canvas session={session} state={state} page={page} />
        </div>
      </main>
      <Chat
        state={state}
        box={box}
        place={place}
        open={sheet}
        onToggleSheet={() => setSheet(!sheet)}
        onTogglePlace={wide ? () => setSide(!side) : null}
        actions={actions}
      />
      {evidence === null ? null : (
        <Drawer
          request={evidence}
          replay={current !== null && current.replay !== null}
          onClose={() => setEvidence(null)}
          onStep={(queryId) => setEvidence({ ...evidence, queryId, label: null })}
        />
      )}
      {inspectable !== null && inspector.open && evidence === null ? (
        <Suspense fallback={null}>
          <Inspector answerId={inspectable} onClose={inspector.close} />
        </Suspense>
      ) : null}
      {pinning === null ? null : (
        <PinDialog
          target={pinning}
          desk={boards}
          boards={board.boards}
          onOpenBoard={session.openBoard}
          onClose={() => setPinning(null)}
        />
      )}
      {over === 'palette' ? (
        <Suspense fallback={null}>
          <Palette
            menu={menu}
            groups={paletteGroups(state, board, session, {
              help: () => setOver('help'),
              newBoard: board.kept ? () => setPinning({ answer: null, card: null, title: null }) : null,
            })}
            onAsk={actions.ask}
            onClose={() => setOver(null)}
          />
        </Suspense>
      ) : null}
      {over === 'help' ? (
        <Suspense fallback={null}>
          <AskingHelp menu={menu} onAsk={actions.ask} onClose={() => setOver(null)} />
        </Suspense>
      ) : null}
      <NoticeBar notice={board.notice} onDismiss={boards.dismiss} />
      <div className="vh" role="status" aria-live="polite">
        {state.said}
      </div>
    </div>
  );
}

/** A board is called as it is called now, whatever it was called when it was drawn. */
const named = (answer: AnswerState, boards: readonly Board[]): AnswerState => {
  const name = boards.find(({ id }) => id === answer.board)?.name;
  return name === undefined ? answer : { ...answer, title: name };
};

/** Whether an answer has a plan that can be pinned: one that was asked here and came to its end. */
const isPinnable = (answer: AnswerState | null): boolean =>
  answer?.kind === 'question' &&
  answer.phase === 'done' &&
  answer.replay === null &&
  answer.ending !== null &&
  answer.report !== null &&
  answer.report.code !== 'record_gone';

/** Id of the answer the second tab leads to: the one shown, else the newest. */
function newestId(state: State, current: AnswerState | null): string | null {
  if (current?.kind === 'question') return current.id;
  const ids = state.order
    .map((key) => state.answers[key])
    .filter((answer) => answer?.kind === 'question' && answer.project === state.project);
  return ids.at(-1)?.id ?? state.earlier.at(-1)?.id ?? null;
}

function useTitle(answer: AnswerState | null): void {
  const words = answer?.question ?? answer?.title ?? null;
  const mark = answer !== null && answer.replay !== null ? 'Replay: ' : '';
  useEffect(() => {
    document.title = words === null ? 'Looplight' : `${mark}${words.slice(0, 100)} · Looplight`;
  }, [words, mark]);
}

/** ⌘K and Ctrl K open the palette, / goes to the ask box; Esc closes the drawer, else stops the answer being made. */
function useShortcuts(
  state: State,
  drawer: boolean,
  session: Session,
  closeDrawers: () => void,
  box: { current: HTMLTextAreaElement | null },
  openPalette: () => void,
): void {
  const live = isLive(currentAnswer(state));
  usePageKeys(
    useCallback(
      (event) => {
        if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
          event.preventDefault();
          openPalette();
        } else if (event.key === '/' && !isTyping(event.target)) {
          event.preventDefault();
          box.current?.focus();
        } else if (
          event.key === 'Escape' &&
          !event.isComposing &&
          !event.defaultPrevented &&
          !somethingOver()
        ) {
          if (drawer) closeDrawers();
          else if (live) session.stop();
        }
      },
      [drawer, live, session, closeDrawers, box, openPalette],
    ),
  );
}

/** Whether a modal dialog or a popover is open, which takes Esc for itself. Old browsers do not know the selectors. */
function somethingOver(): boolean {
  try {
    return document.querySelector(':popover-open, dialog:modal') !== null;
  } catch {
    return false;
  }
}
