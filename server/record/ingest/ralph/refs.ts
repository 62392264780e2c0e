/** A story's name as ledgers of this family write it: `US-007`. */
const REF = /\b[A-Z][A-Z0-9]{0,9}-\d{1,6}\b/g;
/** What joins the two ends of a range. */
const RANGE = /^\s*(?:through|thru|to|\.\.\.?|[-–—])\s*$/i;
/** Most stories one range stands for; a longer one is more likely a slip than work. */
const MOST = 50;

const partsOf = (ref: string): { name: string; digits: string } => {
  const hyphen = ref.lastIndexOf('-');
  return { name: ref.slice(0, hyphen), digits: ref.slice(hyphen + 1) };
};

/** Stories from one to another, both included; just the two when they make no range. */
function between(from: string, to: string): string[] {
  const [a, b] = [partsOf(from), partsOf(to)];
  const [first, last] = [Number(a.digits), Number(b.digits)];
  if (a.name !== b.name || last <= first || last - first >= MOST) return [from, to];
  return Array.from(
    { length: last - first + 1 },
    (_, i) => `${a.name}-${String(first + i).padStart(a.digits.length, '0')}`,
  );
}

/** Stories a heading names, in order, each once; "US-010 through US-012" are three. */
export function refsIn(text: string): string[] {
  const found: string[] = [];
  let end = 0;
  for (const match of text.matchAll(REF)) {
    const [ref, before] = [match[0], found.at(-1)];
    if (before !== undefined && RANGE.test(text.slice(end, match.index))) found.push(...between(before, ref));
    else found.push(ref);
    end = match.index + ref.length;
  }
  return [...new Set(found)];
}
