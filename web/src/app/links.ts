import type { MouseEvent } from 'react';

/** Follows a link inside the page; with a modifier key the browser opens its address as usual. */
export const onPlainClick =
  (action: () => void) =>
  (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    action();
  };
