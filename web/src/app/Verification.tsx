import { Link2, Pin, Waypoints } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Shape } from '../cards/shape.tsx';
import { copyText } from '../lib/clipboard.ts';
import { LiveNote } from '../live/LiveNote.tsx';
import type { AnswerState } from './state.ts';
import { verdictLine } from './verdict.ts';

/** How long a button says that it has copied, in milliseconds. */
const SAID_FOR = 2_000;

interface VerificationProps {
  answer: AnswerState;
  onResume(): void;
  /** Opens the way of the answer. */
  onInspect(): void;
  /** Offers to pin the answer; null where it cannot be pinned. */
  onPin: (() => void) | null;
}

/** The verification line: what was checked, against what, and what can be done with the answer. */
export function Verification({ answer, onResume, onInspect, onPin }: VerificationProps): ReactNode {
  const line = verdictLine(answer);
  return (
    <div className="verif">
      <span className="txt">
        {line.shape === null ? null : <Shape name={line.shape} />}
        {line.parts.map((part, index) => (
          <span key={part}>
            {index === 0 ? null : <span className="dot">·</span>}
            {part}
          </span>
        ))}
        {line.record === null && line.took === null ? null : (
          <span className="tail">
            {line.record === null ? null : (
              <>
                <span className="dot">·</span>record <span className="mono">{line.record.slice(0, 12)}</span>
              </>
            )}
            {line.took === null ? null : (
              <>
                <span className="dot">·</span>
                {line.took}
              </>
            )}
          </span>
        )}
      </span>
      <LiveNote answer={answer} />
      <span className="acts">
        {line.again === null ? null : (
          <button type="button" className="btn" onClick={onResume}>
            {line.again}
          </button>
        )}
        {answer.id !== null && answer.phase === 'done' && answer.kind !== 'board' ? (
          <button
            type="button"
            className="tb"
            title="How this answer was made (Ctrl or ⌘ and I)"
            aria-keyshortcuts="Control+I Meta+I"
            onClick={onInspect}
          >
            <Waypoints className="i" aria-hidden="true" />
            How this answer was made
          </button>
        ) : null}
        {onPin === null ? null : (
          <button type="button" className="tb" onClick={onPin}>
            <Pin className="i" aria-hidden="true" />
            Pin
          </button>
        )}
        {answer.kind !== 'start' && answer.id !== null && answer.phase !== 'lost' ? <CopyLink /> : null}
      </span>
    </div>
  );
}

function CopyLink(): ReactNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button type="button" className="tb" onClick={() => void copyText(location.href).then(setCopied)}>
      <Link2 className="i" aria-hidden="true" />
      <span aria-live="polite">{copied ? 'Link copied' : 'Copy link'}</span>
    </button>
  );
}
