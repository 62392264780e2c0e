import type { SourceInput } from './adapter.ts';
import { Fields, type JsonObject } from './json-fields.ts';
import { type JsonNode, readJson } from './json-tree.ts';
import { SourceIssues } from './source-issues.ts';

/** One line of a JSONL file: an object, or (`fields` null) something else, which is reported already. */
export interface JsonLine {
  no: number;
  offset: number;
  text: string;
  node: JsonObject | null;
  fields: Fields | null;
}

/**
 * The lines of a JSONL file that are not blank. A line that is no object is reported and given as its text; a last line that
 * breaks off is reported and left out, because it is still being written.
 */
export async function* jsonLines(source: SourceInput): AsyncGenerator<JsonLine> {
  const issues = new SourceIssues(source);
  for await (const { no, offset, text, ended } of source.lines()) {
    if (text.trim() === '') continue;
    const { root, broken } = readJson(text);
    const node = root?.kind === 'object' && broken === null ? root : null;
    if (node === null && !ended) {
      issues.add('line_cut', 'warning', no, 'The last line breaks off, so it was not read.');
      return;
    }
    if (node === null)
      issues.add('json_invalid', 'warning', no, 'This line is no JSON object; it was kept as it is.');
    else renumber(node, no);
    yield { no, offset, text, node, fields: node === null ? null : new Fields(node, 'this line', issues) };
  }
}

/** A document of one line counts its lines from 1; in the file it stands on another. */
function renumber(node: JsonNode, no: number): void {
  const waiting: JsonNode[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    next.line = no;
    if (next.kind === 'object') waiting.push(...next.members.values());
    else if (next.kind === 'array') waiting.push(...next.items);
  }
}
