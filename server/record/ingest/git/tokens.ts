const NUL = 0;

/**
 * Text between NUL bytes, in memory bounded by one piece of it. Git's own separator: no message, name or path can hold it.
 * @param limit bytes kept of one piece; of a longer one the first half and the last half of that
 */
export async function* tokensOf(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<string> {
  let head: Buffer[] = [];
  let tail = Buffer.alloc(0);
  let held = 0;
  const half = Math.floor(limit / 2);
  const keep = (piece: Buffer): void => {
    const room = Math.max(0, half - held);
    if (room > 0 && piece.length > 0) head.push(piece.subarray(0, room));
    held += Math.min(room, piece.length);
    const rest = piece.subarray(room);
    if (rest.length > 0) {
      const last = rest.length >= half ? rest : Buffer.concat([tail, rest]);
      // Copied, so that one short piece does not hold the whole chunk.
      tail = Buffer.from(last.subarray(Math.max(0, last.length - half)));
    }
  };
  const take = (): string => {
    const text = Buffer.concat([...head, tail]).toString('utf8');
    head = [];
    tail = Buffer.alloc(0);
    held = 0;
    return text;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NUL); at !== -1; at = chunk.indexOf(NUL, from)) {
      keep(chunk.subarray(from, at));
      yield take();
      from = at + 1;
    }
    if (from < chunk.length) keep(Buffer.from(chunk.subarray(from)));
  }
  if (held > 0) yield take();
}
