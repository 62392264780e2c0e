import '../../styles/inspector.css';
import { Download, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Trace } from '../../../../shared/wire.ts';
import { getJson } from '../../lib/api.ts';
import { duration, plural } from '../../lib/words.ts';
import { SidePanel } from '../SidePanel.tsx';
import { Messages } from './Messages.tsx';
import { Plan } from './Plan.tsx';
import { readTrace } from './read-trace.ts';
import { fileName, getSaved, type Saved, saveAs } from './saved.ts';
import { Timeline } from './Timeline.tsx';
import { Trimmed } from './Trimmed.tsx';
import { Verdicts } from './Verdicts.tsx';

interface InspectorProps {
  answerId: string;
  onClose(): void;
}

type Loaded = { state: 'loading' } | { state: 'missing' } | { state: 'there'; trace: Trace };

/**
 * How an answer was made: its way from the question to the second check, step by step. Beside the page on a wide screen;
 * the whole screen on a phone.
 */
export default function Inspector({ answerId, onClose }: InspectorProps): ReactNode {
  const loaded = useTrace(answerId);
  const load = useSaved(answerId);

  const trace = loaded.state === 'there' ? loaded.trace : null;
  return (
    <SidePanel className="inspector" labelledBy="inspector-title" onClose={onClose}>
      <div className="dh">
        <div className="row">
          <h2 id="inspector-title">How this answer was made</h2>
          <span className="r">
            {trace?.ended ? <SaveButton id={answerId} load={load} /> : null}
            <button type="button" className="ib" aria-label="Close" onClick={onClose}>
              <X className="i" aria-hidden="true" />
            </button>
          </span>
        </div>
        <div className="v">{trace === null ? null : <span>{summary(trace)}</span>}</div>
      </div>
      <div className="db" aria-busy={loaded.state === 'loading'}>
        {loaded.state === 'missing' ? (
          <p className="quiet">
            The way of this answer is not kept any more, or Looplight does not answer. Ask the question again
            to see it.
          </p>
        ) : null}
        {trace === null ? null : (
          <>
            <Timeline trace={trace} />
            <Plan trace={trace} />
            <Trimmed trace={trace} />
            <Messages trace={trace} load={load} />
            <Verdicts trace={trace} />
          </>
        )}
      </div>
    </SidePanel>
  );
}

function summary(trace: Trace): string {
  const ready = trace.cards.filter(({ readyMs }) => readyMs !== null).map(({ readyMs }) => readyMs ?? 0);
  const first = ready.length === 0 ? '' : `, the first after ${duration(Math.min(...ready))}`;
  const took = duration(trace.frames.at(-1)?.ms ?? 0);
  return `${plural(ready.length, 'card')} in ${took}${first}`;
}

function useTrace(id: string): Loaded {
  const [loaded, setLoaded] = useState<{ id: string; result: Loaded } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    void getJson(`/api/answers/${encodeURIComponent(id)}/trace`, controller.signal).then((value) => {
      if (controller.signal.aborted) return;
      setLoaded({
        id,
        result: value === undefined ? { state: 'missing' } : { state: 'there', trace: readTrace(value) },
      });
    });
    return () => controller.abort();
  }, [id]);
  return loaded?.id === id ? loaded.result : { state: 'loading' };
}

/** The way to get the whole answer, which is fetched when it is first needed; tried again after a failure. */
function useSaved(id: string): () => Promise<Saved | null> {
  const held = useRef<{ id: string; saved: Promise<Saved | null> } | null>(null);
  return () => {
    if (held.current?.id !== id) {
      const saved = getSaved(id);
      held.current = { id, saved };
      void saved.then((result) => {
        if (result === null && held.current?.saved === saved) held.current = null;
      });
    }
    return held.current.saved;
  };
}

function SaveButton({ id, load }: { id: string; load: () => Promise<Saved | null> }): ReactNode {
  const [failed, setFailed] = useState(false);
  const save = async (): Promise<void> => {
    const saved = await load();
    setFailed(saved === null);
    if (saved !== null) saveAs(fileName(id), saved.text);
  };
  return (
    <button type="button" className="tb" onClick={() => void save()}>
      <Download className="i" aria-hidden="true" />
      <span aria-live="polite">{failed ? 'Not kept any more' : 'Save as a file'}</span>
    </button>
  );
}
