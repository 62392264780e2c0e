import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useMedia } from './hooks.ts';

interface SidePanelProps {
  /** Further class names beside `drawer`. */
  className?: string;
  /** Id of the heading that names it. */
  labelledBy: string;
  onClose(): void;
  children: ReactNode;
}

/**
 * A panel beside the page on a wide screen, where the page stays in use; the whole screen on a phone, where it does not.
 * Escape asks to close it.
 */
export function SidePanel({ className = '', labelledBy, onClose, children }: SidePanelProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const phone = useMedia('(max-width: 759px)');

  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (phone) element.showModal();
    else element.show();
    element.focus({ preventScroll: true });
    return () => element.close();
  }, [phone]);

  return (
    <dialog
      ref={dialog}
      className={`drawer ${className}`.trim()}
      tabIndex={-1}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}
