import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './harness.ts';

/** What a module loads at run time, followed through; type-only imports load nothing. */
function loads(entry: string): Set<string> {
  const seen = new Set<string>();
  const next = [entry];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (seen.has(file) || !existsSync(file)) continue;
    seen.add(file);
    const source = readFileSync(file, 'utf8');
    for (const [statement, path = ''] of source.matchAll(
      /^(?:import|export)\b[^;]*?from\s+'(\.[^']+)';/gms,
    )) {
      if (/^(?:import|export)\s+type\b/.test(statement)) continue;
      next.push(resolve(dirname(file), path));
    }
  }
  return seen;
}

const names = (files: Iterable<string>): string[] => [...files].map((file) => relative(ROOT, file));

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

describe('what loads what', () => {
  /** All that the second reading may be made of: reading prose and numbers, the catalog of measures, and what is shared. */
  const CLOSED =
    /^server\/answer\/(?:verify|verify\/\w+|figures|figures\/[\w-]+|typed-spans|known-names|placing|trimmed|placeholders|mention|facts|resolve\/(?:context|descriptor|figure|format))\.ts$|^server\/metrics\/[\w-]+\.ts$|^server\/record\/(?:store|source-kinds)\.ts$|^shared\/[\w-]+\.ts$/;

  it('the verifier loads nothing that streams, compiles, plans or runs an answer, nor opens a record', () => {
    const loaded = names(loads(join(ROOT, 'server', 'answer', 'verify.ts')));
    expect(loaded).toContain('server/answer/verify.ts');
    expect(loaded).toContain('server/answer/verify/typed.ts');
    expect(loaded.filter((name) => !CLOSED.test(name))).toEqual([]);
  });

  it('nothing loads the routes but the application', () => {
    const culprits = filesBelow(join(ROOT, 'server')).filter(
      (file) =>
        !/server\/(?:routes\/|app\.ts$)/.test(relative(ROOT, file)) &&
        /from '[./]+routes\//.test(readFileSync(file, 'utf8')),
    );
    expect(names(culprits)).toEqual([]);
  });

  it('the page loads nothing of the server, and the server nothing of the page', () => {
    const crossing = (folder: string, other: RegExp): string[] =>
      names(filesBelow(join(ROOT, folder)).filter((file) => other.test(readFileSync(file, 'utf8'))));
    expect(crossing('web', /from '[./]+server\//)).toEqual([]);
    expect(crossing('server', /from '[./]+web\//)).toEqual([]);
    expect(crossing('shared', /from '[./]+(?:server|web)\//)).toEqual([]);
  });
});
