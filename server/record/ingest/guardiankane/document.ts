import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceInput } from '../adapter.ts';
import { Fields, type JsonObject, reportDocument } from '../json-fields.ts';
import { type JsonDocument, type JsonNode, readJson } from '../json-tree.ts';
import { SourceIssues } from '../source-issues.ts';
import { visibleText } from '../visible.ts';
import { readYaml } from '../yaml-tree.ts';

/** A JSON source as a tree; what is wrong with it is reported. Null when nothing of it could be read. */
export async function jsonOf(source: SourceInput): Promise<JsonNode | null> {
  const text = await source.text();
  if (text === null) return null;
  const document = readJson(text);
  reportDocument(document, 'entries', entriesIn(document.root), new SourceIssues(source));
  if (document.broken) source.count(0, 1);
  return document.root;
}

/** A YAML text as a tree, with lines counted from where it stands in the source. */
export function yamlOf(source: SourceInput, text: string, firstLine = 1): JsonNode | null {
  const document = readYaml(text, firstLine);
  reportYaml(document, source);
  return document.root;
}

export function reportYaml({ broken, duplicates }: JsonDocument, source: SourceInput): void {
  for (const { line, key } of duplicates) {
    source.issue(
      'duplicate_key',
      'warning',
      line,
      `The key "${key.slice(0, 60)}" stands twice in one map; the later one was read.`,
    );
  }
  if (broken === null) return;
  const why =
    broken.why === 'too_deep'
      ? 'Values are nested too deep to be read.'
      : broken.why === 'too_many'
        ? 'There are more values than are read.'
        : 'From this line on it is not YAML; what is complete before it was read.';
  source.issue(broken.why === 'too_deep' ? 'json_too_deep' : 'yaml_invalid', 'error', broken.line, why);
  source.count(0, 1);
}

const entriesIn = (node: JsonNode | null): number =>
  node === null
    ? 0
    : node.kind === 'array'
      ? node.items.length
      : node.kind === 'object'
        ? node.members.size
        : 1;

/** Fields of a node that should be an object; reported and null when it is none. */
export function fieldsOf(
  node: JsonNode | null | undefined,
  owner: string,
  source: SourceInput,
): Fields | null {
  if (node?.kind === 'object') return new Fields(node, owner, new SourceIssues(source));
  if (node) {
    source.issue('wrong_type', 'warning', node.line, `${owner} is not an object, so it was not read.`);
    source.count(0, 1);
  }
  return null;
}

/** A text as it may be kept: an escape can write a character that was taken out of the file's own text. */
const plainText = (text: string): string => visibleText(text).slice(0, LIMITS.sourceText);

/** Texts of a list; other items are left out. */
export const textsIn = (nodes: readonly JsonNode[] | null): { text: string; line: number }[] =>
  (nodes ?? []).flatMap((node) =>
    node.kind === 'string' ? [{ text: plainText(node.value), line: node.line }] : [],
  );

/** A member that is a text, whatever else it may be. */
export function textIn(node: JsonObject, key: string): string | null {
  const member = node.members.get(key);
  return member?.kind === 'string' ? plainText(member.value) : null;
}
