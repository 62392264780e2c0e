import type { Row } from './store.ts';

/** Cells of a row in the type the schema gives them; anything else reads as not recorded. */
export const textAt = (row: Row, key: string): string | null => {
  const value = row[key];
  return typeof value === 'string' ? value : null;
};
export const numberAt = (row: Row, key: string): number | null => {
  const value = row[key];
  return typeof value === 'number' ? value : null;
};
