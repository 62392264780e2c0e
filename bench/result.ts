/** One measured row of a benchmark. `value` is a ratio or a size as `unit` says; `aim` is the bound it should keep. */
export interface Result {
  name: string;
  value: number;
  unit: string;
  aim: number | null;
  detail: string;
}

/** Whether a row keeps its aim; rows without one are for information. */
export const met = (result: Result): boolean | null =>
  result.aim === null ? null : result.value <= result.aim;

/** The middle value; 0 for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
