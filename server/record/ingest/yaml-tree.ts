import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { LIMITS } from '../../../shared/limits.ts';
import type { JsonDocument, JsonNode } from './json-tree.ts';

class TooMuch extends Error {
  constructor(readonly why: 'too_deep' | 'too_many') {
    super(why);
  }
}

/** Columns a line may be indented (with the marks of list entries and keys), and brackets that may be open at once. */
const INDENT = 500;
const OPEN = 100;

/**
 * Whether nesting goes deeper than can be read. Looked at before parsing: the parser is recursive, and a process does not
 * always survive the end of its stack. Brackets inside quotes count too, which only a strange document could notice.
 */
function tooDeep(text: string): boolean {
  let open = 0;
  let indent = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\n') indent = 0;
    else if (indent >= 0) {
      if (char === ' ' || char === '-' || char === '?' || char === ':' || char === '\t') indent += 1;
      else indent = -1;
      if (indent > INDENT) return true;
    }
    if (char === '[' || char === '{') open += 1;
    else if ((char === ']' || char === '}') && open > 0) open -= 1;
    if (open > OPEN) return true;
  }
  return false;
}

/**
 * Reads a YAML document into the same tree as JSON, so that the same readers of fields serve both. Lines count from
 * `firstLine` for YAML that stands inside another file. An alias is taken as what it names; since a few of them can stand for
 * billions of values, values are counted. Times stay text. Never throws for what the text holds.
 */
export function readYaml(text: string, firstLine = 1): JsonDocument {
  const lines = new LineCounter();
  const lineAt = (offset: number | undefined): number =>
    lines.linePos(Math.max(0, offset ?? 0)).line + firstLine - 1;
  const duplicates: JsonDocument['duplicates'] = [];
  let line = firstLine;
  let root: JsonNode | null = null;
  if (Buffer.byteLength(text) > LIMITS.yamlBytes)
    return { root, duplicates, broken: { line, why: 'too_many' } };
  if (tooDeep(text)) return { root, duplicates, broken: { line, why: 'too_deep' } };
  // A document cannot hold more values than characters, but for its aliases.
  const most = Math.min(LIMITS.sourceValues, text.length + 10_000);
  const named = new Map<Node, Node | null>();
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: 'silent',
    });
    const [error] = document.errors;
    if (error) line = lineAt(error.pos[0]);

    let values = 0;
    const convert = (node: Node | null, depth: number, at: number): JsonNode => {
      values += 1;
      if (values > most) throw new TooMuch('too_many');
      if (depth > LIMITS.sourceDepth) throw new TooMuch('too_deep');
      if (node === null) return { kind: 'null', line: at };
      if (isAlias(node)) {
        const meant = named.get(node) ?? node.resolve(document) ?? null;
        named.set(node, meant);
        return convert(meant, depth + 1, at);
      }
      if (isMap(node)) {
        const members = new Map<string, JsonNode>();
        for (const { key, value } of node.items) {
          const name = isScalar(key) ? String(key.value) : String(key);
          const keyLine = lineAt(isScalar(key) ? key.range?.[0] : node.range?.[0]);
          if (members.has(name) && duplicates.length < LIMITS.sourceIssues)
            duplicates.push({ line: keyLine, key: name });
          members.set(name, convert(isNode(value) ? value : null, depth + 1, keyLine));
        }
        return { kind: 'object', members, complete: true, line: at };
      }
      if (isSeq(node)) {
        const items = node.items.map((item) =>
          convert(isNode(item) ? item : null, depth + 1, isNode(item) ? lineAt(item.range?.[0]) : at),
        );
        return { kind: 'array', items, complete: true, line: at };
      }
      return isScalar(node) ? scalar(node.value, at) : { kind: 'null', line: at };
    };
    const { contents } = document;
    if (contents !== null) root = convert(contents, 0, lineAt(contents.range?.[0]));
    return { root, duplicates, broken: error ? { line, why: 'invalid' } : null };
  } catch (error) {
    return { root, duplicates, broken: { line, why: error instanceof TooMuch ? error.why : 'too_deep' } };
  }
}

const isNode = (value: unknown): value is Node =>
  isMap(value) || isSeq(value) || isScalar(value) || isAlias(value);

function scalar(value: unknown, line: number): JsonNode {
  if (typeof value === 'string') return { kind: 'string', value, line };
  if (typeof value === 'boolean') return { kind: 'boolean', value, line };
  if (typeof value === 'number') {
    return Number.isFinite(value)
      ? { kind: 'number', value, line }
      : { kind: 'not_a_number', text: String(value), line };
  }
  return { kind: 'null', line };
}
