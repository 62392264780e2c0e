import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Width used where nothing has been laid out yet. */
const UNKNOWN = 560;

/** Width of an element in whole pixels, kept up to date. */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (found: number) => setWidth(Math.round(found) || UNKNOWN);
    measure(element.getBoundingClientRect().width);
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver((entries) => {
      for (const entry of entries) measure(entry.contentRect.width);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
