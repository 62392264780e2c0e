/**
 * Lets through the one JSON object of a model's text and nothing else: some servers put thinking before it, fences
 * around it, or words after it. Looks at each character once and keeps none.
 */
export interface JsonText {
  /** The part of the next piece that belongs to the object; often all of it. */
  push(piece: string): string;
}

const THINK_OPEN = '<think>';
const THINK_CLOSE = '</think>';
/** A fence or a word of introduction at most; what goes on longer without an object is let through to be refused. */
const MAX_LEAD = 4_096;

export function jsonText(): JsonText {
  let state: 'lead' | 'thinking' | 'inside' | 'after' = 'lead';
  /** The last characters seen while looking for a mark. */
  let tail = '';
  let lead = 0;
  let depth = 0;
  let string = false;
  let escaped = false;

  /** Index after the end of the object in `piece`, or its length while the object goes on. */
  function endOf(piece: string, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const char = piece[at];
      if (string) {
        if (escaped) escaped = false;
        else if (char === '\\') escaped = true;
        else if (char === '"') string = false;
      } else if (char === '"') string = true;
      else if (char === '{' || char === '[') depth++;
      else if ((char === '}' || char === ']') && --depth <= 0) {
        state = 'after';
        return at + 1;
      }
    }
    return piece.length;
  }

  return {
    push(piece) {
      let from = 0;
      while (from < piece.length && (state === 'lead' || state === 'thinking')) {
        const char = piece[from] ?? '';
        tail = (tail + char).slice(-THINK_CLOSE.length);
        from++;
        if (state === 'thinking') {
          if (tail === THINK_CLOSE) state = 'lead';
          continue;
        }
        lead++;
        if (tail.endsWith(THINK_OPEN)) state = 'thinking';
        else if (char === '{' || lead > MAX_LEAD) {
          state = 'inside';
          from--;
        }
      }
      if (state !== 'inside') return '';
      return piece.slice(from, endOf(piece, from));
    },
  };
}
