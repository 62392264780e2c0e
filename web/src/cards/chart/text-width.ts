/** Width of a text of the given length in the type of axes and values. */
export const textWidth = (characters: number): number => Math.ceil(characters * 7);

export const longest = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, text.length), 0);
