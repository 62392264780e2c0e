/**
 * The harness writes the same file by its path in the project and by its path on the machine. Where on the machine the project lay
 * is nowhere said; it follows from the paths themselves.
 */
const slashes = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '');
const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[A-Za-z]:\//.test(path);

/** Paths looked at to find the folder of the project. */
const MOST = 5_000;

/**
 * The folder in which most absolute paths end like a relative one, or hold the harness's own folder.
 * @returns null when no path tells
 */
export function rootOf(written: Iterable<string>): string | null {
  const paths = [...new Set([...written].slice(0, MOST).map(slashes))];
  const relative = paths.filter((path) => !isAbsolute(path));
  const votes = new Map<string, number>();
  const vote = (folder: string): void => {
    if (folder !== '') votes.set(folder, (votes.get(folder) ?? 0) + 1);
  };
  const known = new Set(relative);
  for (const path of paths) {
    if (!isAbsolute(path)) continue;
    const own = /^(.*)\/\.testmuai\/(?:tests|evidence|[^/]+$)/.exec(path)?.[1];
    if (own) vote(own);
    // Every way to split the path: as many as it has folders.
    for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1)) {
      if (known.has(path.slice(at + 1))) vote(path.slice(0, at));
    }
  }
  let best: string | null = null;
  for (const [folder, n] of votes) if (best === null || n > (votes.get(best) ?? 0)) best = folder;
  return best;
}

/** A path as the record spells it: inside the project, with slashes; absolute only where it lies outside. */
export function insideOf(root: string | null, path: string): string {
  const clean = slashes(path);
  return root !== null && clean.startsWith(`${root}/`) ? clean.slice(root.length + 1) : clean;
}

/** The name that a test's definition, its result and its output folder share: `lend-a-book` of `tests/lend-a-book_test.md`. */
export const testName = (path: string): string =>
  (slashes(path).split('/').at(-1) ?? '').replace(/_test\.md$/, '').replace(/^output-/, '');
