/** The part of an address that points at a figure. */
export const figureHash = (queryId: string): string => `#figure=${queryId}`;
