import { type ReactNode, useState } from 'react';

/** Lines shown of a long text until the rest is asked for. */
const FIRST = 16;
/** Lines by which a text may be longer without being cut. */
const SPARE = 4;

/** A text in lines, as it is; a long one at its full length on request. */
export function Code({ text }: { text: string }): ReactNode {
  const [all, setAll] = useState(false);
  const lines = text.split('\n');
  const cut = !all && lines.length > FIRST + SPARE;
  return (
    <>
      <pre className="code">{cut ? lines.slice(0, FIRST).join('\n') : text}</pre>
      {cut ? (
        <button type="button" className="how more" onClick={() => setAll(true)}>
          Show all {lines.length} lines
        </button>
      ) : null}
    </>
  );
}
