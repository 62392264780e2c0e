/** What a log's reader must know of the lines before the place it reads on at. */
export interface Carry {
  /** Number of the turn before that place. */
  before: number | null;
  /** The last line that is counted already, the ones read again included. */
  counted: number;
}

/** From the text the last reading left; a text that is none of ours is as good as nothing. Null when reading from the start. */
export function carryOf(text: string | null): Carry | null {
  if (text === null) return null;
  const match = /^(\d{0,10}) (\d{1,12})$/.exec(text);
  return { before: match?.[1] ? Number(match[1]) : null, counted: Number(match?.[2] ?? 0) };
}

export const carryText = ({ before, counted }: Carry): string => `${before ?? ''} ${counted}`;
