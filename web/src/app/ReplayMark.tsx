import { History } from 'lucide-react';
import type { ReactNode } from 'react';

const date = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Says that what is shown is played from a file, and when it was made. */
export function ReplayMark({ madeAt }: { madeAt: string }): ReactNode {
  const at = Date.parse(madeAt);
  return (
    <p className="replay-mark">
      <b>
        <History className="i" aria-hidden="true" />
        Replay
      </b>
      <span>
        A saved answer, played from a file
        {Number.isNaN(at) ? '' : `. Made ${date.format(at)}`}
      </span>
    </p>
  );
}
