import { type ReactNode, useState } from 'react';
import type { Trace, TraceFrame } from '../../../../shared/wire.ts';
import { plural } from '../../lib/words.ts';
import { Code } from './Code.tsx';
import type { Saved } from './saved.ts';

/** Messages listed at first; the rest on request. */
const FIRST = 200;

const size = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`);

interface MessagesProps {
  trace: Trace;
  /** Gets the content of the messages, once. */
  load(): Promise<Saved | null>;
}

/** Every event as it was sent; each opens to its JSON. */
export function Messages({ trace, load }: MessagesProps): ReactNode {
  const [all, setAll] = useState(false);
  const { frames } = trace;
  const shown = all ? frames : frames.slice(0, FIRST);
  const bytes = frames.reduce((sum, frame) => sum + frame.bytes, 0);
  return (
    <section>
      <h3>
        Messages
        <span>
          {plural(frames.length, 'message')}, {size(bytes)}
        </span>
      </h3>
      <ol className="frames">
        {shown.map((frame) => (
          <Message key={frame.id} frame={frame} load={load} />
        ))}
      </ol>
      {shown.length === frames.length ? null : (
        <button type="button" className="btn" onClick={() => setAll(true)}>
          Show all {frames.length}
        </button>
      )}
    </section>
  );
}

function Message({ frame, load }: { frame: TraceFrame; load: MessagesProps['load'] }): ReactNode {
  const [json, setJson] = useState<string | null>(null);
  const show = async (): Promise<void> => {
    const saved = await load();
    const data = saved?.frames.get(frame.id);
    setJson(
      data === undefined
        ? 'The content is not there: the answer is still being made, or is not kept any more.'
        : JSON.stringify(data, null, 2),
    );
  };
  return (
    <li>
      <details
        onToggle={(event) => {
          if (event.currentTarget.open && json === null) void show();
        }}
      >
        <summary>
          <span className="n">{frame.id}</span>
          <span className="k">
            {frame.event}
            {frame.about === '' ? null : <small>{frame.about}</small>}
          </span>
          <span className="s">{size(frame.bytes)}</span>
          <span className="t">{Math.round(frame.ms)} ms</span>
        </summary>
        <Code text={json ?? 'Loading'} />
      </details>
    </li>
  );
}
