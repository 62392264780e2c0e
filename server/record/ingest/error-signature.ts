/** Text of an output that is looked at, and of the signature. */
const LOOKED = 8_000;
const MOST = 200;

const TELLING = /error|fail|exception|panic|not found|no such|cannot|denied|refused|timed out|undefined/i;

/** The line of an output that tells what went wrong: the first that says so, else the last one. */
function tellingLine(output: string): string | null {
  const lines = output
    .slice(0, LOOKED)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => TELLING.test(line)) ?? lines.at(-1) ?? null;
}

/**
 * An error as it repeats: the telling line of its output without numbers, paths and ids, so that two tries at the same thing
 * have one signature.
 * @returns at most 200 characters; null for an empty output
 */
export function errorSignature(output: string): string | null {
  const line = tellingLine(output);
  if (line === null) return null;
  return line
    .slice(0, 4 * MOST)
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{20,40}\b/gi, '<id>')
    .replace(/(?:[A-Za-z]:)?(?:\.{0,2}\/)?(?:[\w.@+-]+\/)+[\w.@+-]*/g, '<path>')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/gi, '<id>')
    .replace(/\d+(?:[.,:]\d+)*/g, '<n>')
    .replace(/\s+/g, ' ')
    .slice(0, MOST);
}
