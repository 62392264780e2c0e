import { useCallback, useEffect, useRef, useState } from 'react';
import type { EvidenceRequest } from '../../a2ui/page-context.ts';
import { figureInHash } from '../route.ts';

/**
 * The figure the drawer explains. What was pressed stays marked (`data-open`) while the drawer is open and has the
 * focus again afterwards; the mark is put on the element itself, so that opening a figure draws no card again.
 * @param current the answer on the page; another one closes the drawer
 */
export function useOpenFigure(
  current: string | null,
): [EvidenceRequest | null, (request: EvidenceRequest | null) => void] {
  const [open, setOpen] = useState<{ request: EvidenceRequest; on: string | null } | null>(() => {
    const queryId = figureInHash(location.hash);
    if (queryId === null) return null;
    return { request: { queryId, label: null, siblings: [queryId], mark: null }, on: current };
  });
  const pressed = useRef<HTMLElement | null>(null);
  const request = open !== null && open.on === current ? open.request : null;

  const set = useCallback(
    (next: EvidenceRequest | null) => {
      const active = document.activeElement;
      if (
        next !== null &&
        active instanceof HTMLElement &&
        active !== document.body &&
        active.closest('.drawer') === null
      ) {
        pressed.current?.removeAttribute('data-open');
        active.setAttribute('data-open', '');
        pressed.current = active;
      }
      setOpen(next === null ? null : { request: next, on: current });
    },
    [current],
  );

  useEffect(() => {
    if (request !== null || pressed.current === null) return;
    pressed.current.removeAttribute('data-open');
    if (document.activeElement === document.body) pressed.current.focus({ preventScroll: true });
    pressed.current = null;
  }, [request]);

  return [request, set];
}
