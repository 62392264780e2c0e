import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Notice } from './desk.ts';

interface NoticeBarProps {
  notice: Notice | null;
  onDismiss(): void;
}

/** One line at the foot of the page: what was done, and the way to take it back. It stays until it is closed or replaced. */
export function NoticeBar({ notice, onDismiss }: NoticeBarProps): ReactNode {
  return (
    <div className="notice-place" aria-live="polite">
      {notice === null ? null : (
        <div className="notice" key={notice.serial}>
          <span>{notice.says}</span>
          {notice.undo === null ? null : (
            <button type="button" className="link" onClick={notice.undo}>
              Undo
            </button>
          )}
          <button type="button" className="ib" aria-label="Close this notice" onClick={onDismiss}>
            <X className="i" aria-hidden="true" />
          </button>
        </div>
      )}
    </div>
  );
}
