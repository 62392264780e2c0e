import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PageActions } from '../a2ui/page-context.ts';
import { Surface } from '../a2ui/Surface.tsx';
import type { Session } from '../app/session.ts';
import { answerOf, isLive, type State } from '../app/state.ts';

/** The crossfade from an answer to the next, in milliseconds; a little more than the styles take. */
const FADE = 150;

interface CanvasProps {
  session: Session;
  state: State;
  page: PageActions;
}

/** The one canvas: the cards of an answer, and for a moment those of the one before it. */
export function Canvas({ session, state, page }: CanvasProps): ReactNode {
  const [shown, setShown] = useState(state.canvas);
  const [leaving, setLeaving] = useState<string | null>(null);
  const stage = useRef<HTMLDivElement>(null);
  if (state.canvas !== shown) {
    setShown(state.canvas);
    setLeaving(shown);
  }
  useEffect(() => {
    if (leaving === null) return;
    scrollTo({ top: 0 });
    // A button that was pressed leaves with its answer; reading goes on at the new question.
    if (stage.current?.querySelector('.leaving')?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    }
    const timer = setTimeout(() => setLeaving(null), FADE);
    return () => clearTimeout(timer);
  }, [leaving]);

  const layers = [leaving, shown].filter(
    (key, index, keys): key is string => key !== null && keys.indexOf(key) === index,
  );
  return (
    <div className="stage" ref={stage} data-waiting={state.current !== state.canvas || undefined}>
      {layers.map((key) => {
        const host = session.host(key);
        const old = key === leaving && key !== shown;
        return host === null ? null : (
          <div key={key} className={old ? 'layer leaving' : 'layer'} inert={old}>
            <Surface key={host.serial} host={host} page={page} live={isLive(answerOf(state, key))} />
          </div>
        );
      })}
    </div>
  );
}
