/** Runs a task once soon: in the next frame, or shortly after when no frame comes (a tab in the background). */
export type Schedule = (task: () => void) => () => void;

/** Longest wait for a frame, in milliseconds. */
const FRAME_WAIT = 60;

/**
 * One animation frame with a timer behind it, whichever comes first.
 * @param task called once
 * @returns cancels it
 */
export const nextFrame: Schedule = (task) => {
  let due = true;
  const run = () => {
    if (!due) return;
    cancel();
    task();
  };
  const timer = setTimeout(run, FRAME_WAIT);
  const frame = typeof requestAnimationFrame === 'function' ? requestAnimationFrame(run) : 0;
  const cancel = () => {
    due = false;
    clearTimeout(timer);
    if (typeof cancelAnimationFrame === 'function') cancelAnimationFrame(frame);
  };
  return cancel;
};
