/** A run that a story number is about: the one whose time holds it, else the current one, else the last. As with commits, not one that began hours later. */
export const RUN_OF = (at: string): string =>
  `coalesce(${at} BETWEEN r.started_at_ms AND r.ended_at_ms, FALSE) DESC, r.is_current DESC, r.seq DESC`;
