/** Room between a bar's end and its value. */
export const BESIDE = 6;
const NEAR = 2;

/**
 * Left edge of the value of a bar: after its end, and after the line across when that would run through it. All in pixels.
 * @param end end of the bar
 * @param width of the value as it is written
 * @param line place of the line across, or null
 */
export function besideBar(end: number, width: number, line: number | null): number {
  const left = end + BESIDE;
  const crossed = line !== null && line > end - NEAR && line < left + width + NEAR;
  return crossed ? line + BESIDE : left;
}
