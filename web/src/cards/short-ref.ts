/** Characters of an id that still stand before a name; "2026-09-02-export-csv" would push the name away. */
const MOST = 7;

/** The id where it is short enough to stand before what it names, else null: the name is enough. */
export const shortRef = (ref: string | null): string | null =>
  ref !== null && ref.length <= MOST ? ref : null;
