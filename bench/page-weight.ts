import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Result } from './result.ts';

const KB = 1024;

/** Names of the files the page loads before anything is drawn: what index.html names, and what those scripts import at once. */
function initialFiles(web: string, html: string): Set<string> {
  const found = new Set<string>();
  const queue = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? '');
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(join(web, name), 'utf8');
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    for (const match of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      queue.push(`${folder}${match[1]}`);
  }
  return found;
}

/**
 * Bytes a browser fetches, gzip for text and as they are for fonts.
 * @param web the built page's folder
 */
export function pageWeight(web: string): Result[] {
  const html = readFileSync(join(web, 'index.html'), 'utf8');
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' });
  const weigh = (name: string): number => gzipSync(readFileSync(join(web, name)), { level: 9 }).length;
  const first = initialFiles(web, html);
  const code = files.filter((name) => /\.(js|css)$/.test(name));
  const initial = gzipSync(html).length + [...first].reduce((sum, name) => sum + weigh(name), 0);
  const all = gzipSync(html).length + code.reduce((sum, name) => sum + weigh(name), 0);
  const fonts = files
    .filter((name) => name.endsWith('.woff2'))
    .map((name) => readFileSync(join(web, name)).length);
  const fontBytes = fonts.reduce((sum, bytes) => sum + bytes, 0);
  return [
    {
      name: 'page before the first chart',
      value: initial / KB,
      unit: 'KB gzip',
      aim: 160,
      detail: `${first.size} files, fonts not counted`,
    },
    { name: 'whole page, code', value: all / KB, unit: 'KB gzip', aim: 350, detail: `${code.length} files` },
    {
      name: 'whole page with every font file',
      value: (all + fontBytes) / KB,
      unit: 'KB',
      aim: null,
      detail: `${fonts.length} font files; a browser loads only the subsets it needs`,
    },
  ];
}
