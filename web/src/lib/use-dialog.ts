import { type RefObject, useEffect, useRef } from 'react';

/** Opens a `dialog` as a modal while it is mounted, and gives the focus back to whatever had it. */
export function useDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal?.();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return dialog;
}
