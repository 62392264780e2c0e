import { LIMITS } from '../../../../shared/limits.ts';
import type { Adapter, RowSink, SourceInput, SourceLine } from '../adapter.ts';
import { Fields, type FieldTime } from '../json-fields.ts';
import { plainText } from '../json-plain.ts';
import { type JsonNode, readJson } from '../json-tree.ts';
import { rawEvent } from '../ralph/rows.ts';
import { SourceIssues } from '../source-issues.ts';
import { readTime } from '../time.ts';

const TIMES = ['ts', 'timestamp', 'time', 'at', 'created_at', 'createdAt', 'date'];

/** The time an object gives under one of the usual names; nothing is said when it gives none. */
function timeOf(node: JsonNode | null, source: SourceInput): Pick<FieldTime, 'ms' | 'zone'> | null {
  if (node?.kind !== 'object') return null;
  const fields = new Fields(node, 'this entry', new SourceIssues(source));
  const name = TIMES.find((key) => {
    const value = node.members.get(key);
    return value?.kind === 'string' && readTime(value.value) !== null;
  });
  return name === undefined ? null : fields.time(name);
}

/** The time a line of text begins with, in brackets or not. */
function leadingTime(text: string): Pick<FieldTime, 'ms' | 'zone'> | null {
  const match =
    /^\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)(?![\d:])/.exec(text);
  return match?.[1] === undefined ? null : readTime(match[1]);
}

/** A document of JSON is one entry, however many lines it has. */
async function addDocument(source: SourceInput, out: RowSink): Promise<boolean> {
  const text = await source.text();
  if (text === null) return true;
  const { root, broken } = readJson(text);
  if (root === null || broken !== null) return false;
  rawEvent(out, source, null, { no: root.line, text: plainText(root) }, timeOf(root, source));
  source.count(0, 1);
  return true;
}

/** Lines looked at before anything of a file is kept: text damaged in more than a tenth of its characters is none. */
const FIRST_LINES = 20;
const isText = (lines: readonly SourceLine[]): boolean =>
  lines.every((line) => (line.text.match(/\uFFFD/g)?.length ?? 0) <= line.text.length / 10);

async function addLines(source: SourceInput, out: RowSink): Promise<void> {
  let entries = 0;
  let waiting: SourceLine[] | null = [];
  const add = (line: SourceLine): void => {
    const root = line.text.startsWith('{') ? readJson(line.text).root : null;
    rawEvent(out, source, null, line, timeOf(root, source) ?? leadingTime(line.text));
  };
  for await (const line of source.lines()) {
    if (line.text.trim() === '') continue;
    entries += 1;
    if (waiting) {
      waiting.push(line);
      if (waiting.length < FIRST_LINES) continue;
      if (!isText(waiting)) break;
      waiting.forEach(add);
      waiting = null;
    } else if (entries <= LIMITS.unknownEntries) add(line);
  }
  if (waiting && !isText(waiting)) {
    source.issue(
      'unknown_shape',
      'info',
      null,
      'The file is of no known kind and not text, so nothing of it was kept.',
    );
    return source.count(0, 1);
  }
  waiting?.forEach(add);
  if (entries > LIMITS.unknownEntries) {
    source.issue(
      'too_many_entries',
      'info',
      null,
      `Of the ${entries} lines of this file, which is of no known kind, the first ${LIMITS.unknownEntries} were kept.`,
    );
  }
  source.count(0, entries);
}

const unknownFile: Adapter = {
  id: 'unknown',
  version: 1,
  label: 'Unknown file',
  sources: [
    {
      kind: 'unknown_file',
      // A folder called ralph may hold programs as well, so only data is taken from it.
      paths: ['.ralph/**', '.testmuai/**', '.agent-loop/**', 'ralph/**/*.{jsonl,ndjson,json,log,txt}'],
    },
  ],
  unit: 'each',
  async read(unit, out) {
    for (const source of unit.sources) {
      if (!source.path.endsWith('.json') || !(await addDocument(source, out))) await addLines(source, out);
    }
  },
};

/** Files in the folders of harnesses that no other adapter takes. To be listed last. */
export const UNKNOWN: readonly Adapter[] = [unknownFile];
