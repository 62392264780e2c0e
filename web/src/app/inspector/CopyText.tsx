import { type ReactNode, useEffect, useState } from 'react';
import { copyText } from '../../lib/clipboard.ts';

/** How long a button says what it did, in milliseconds. */
const SAID_FOR = 2_000;

/** A button that copies a text and says so. */
export function CopyText({ label, text }: { label: string; text: string }): ReactNode {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_FOR);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <button
      type="button"
      className="how"
      onClick={() =>
        void copyText(text).then((done) => setSaid(done ? 'Copied' : 'The browser did not allow it'))
      }
    >
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}
