import { type KeyboardEvent, useRef, useState } from 'react';

/** Where a key leads from a mark; null where it leads nowhere. */
export type Step = (from: string, key: string) => string | null;

const KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']);

/**
 * One stop in the order of focus for many marks: arrows lead from mark to mark, and the one that had the focus last has it
 * again.
 * @param first the mark that takes the focus before any has had it
 */
export function useRoving(first: string | null, step: Step) {
  const [current, setCurrent] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const [focused, setFocused] = useState(false);
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const home = current !== null && buttons.current.has(current) ? current : first;
  return {
    /** The mark whose values are told: the one pointed at, else the one with the focus. */
    told: pointed ?? (focused ? home : null),
    /** What a mark's button takes. */
    props: (id: string) => ({
      ref: (element: HTMLButtonElement | null) => {
        if (element === null) buttons.current.delete(id);
        else buttons.current.set(id, element);
      },
      tabIndex: (home ?? id) === id ? 0 : -1,
      onFocus: () => {
        setCurrent(id);
        setFocused(true);
      },
      onBlur: () => setFocused(false),
      onPointerEnter: () => setPointed(id),
      onPointerLeave: () => setPointed(null),
      onKeyDown: (event: KeyboardEvent) => {
        if (!KEYS.has(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
        const next = step(id, event.key);
        event.preventDefault();
        if (next !== null) buttons.current.get(next)?.focus();
      },
    }),
  };
}
export type Roving = ReturnType<typeof useRoving>;
