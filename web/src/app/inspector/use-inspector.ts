import { useCallback, useEffect, useRef, useState } from 'react';
import { usePageKeys } from '../hooks.ts';

export interface InspectorSwitch {
  open: boolean;
  show(): void;
  close(): void;
}

/**
 * Whether the way of the answer on the page is shown. What had the focus has it again afterwards.
 * @param current key of the answer on the page; another one closes it
 * @param can whether there is a way to show
 */
export function useInspector(current: string | null, can: boolean): InspectorSwitch {
  const [on, setOn] = useState<string | null>(null);
  const pressed = useRef<HTMLElement | null>(null);
  const open = can && on !== null && on === current;

  const show = useCallback(() => {
    const active = document.activeElement;
    pressed.current = active instanceof HTMLElement && active !== document.body ? active : null;
    setOn(current);
  }, [current]);
  const close = useCallback(() => setOn(null), []);

  useEffect(() => {
    if (open || pressed.current === null) return;
    if (document.activeElement === document.body) pressed.current.focus({ preventScroll: true });
    pressed.current = null;
  }, [open]);

  usePageKeys(
    useCallback(
      (event) => {
        if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
        if (event.key.toLowerCase() !== 'i' || !can) return;
        event.preventDefault();
        if (open) close();
        else show();
      },
      [can, open, show, close],
    ),
  );

  return { open, show, close };
}
