import { LIMITS } from '../../../shared/limits.ts';
import type { Issues } from './issue.ts';
import type { JsonDocument, JsonNode } from './json-tree.ts';
import { readTime } from './time.ts';
import { visibleText } from './visible.ts';

/** Typed reading of the members of JSON objects: what has the wrong type is reported and taken as not there. */
export type JsonObject = Extract<JsonNode, { kind: 'object' }>;

const KINDS: Record<JsonNode['kind'], string> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  not_a_number: 'not a number',
};

/** A written time of a document, with what is needed to judge it. */
export interface FieldTime {
  ms: number;
  zone: string | null;
  line: number;
}

export class Fields {
  constructor(
    readonly node: JsonObject,
    /** What people read in front of a field name: "feature 28". */
    readonly owner: string,
    readonly issues: Issues,
  ) {}

  #get(key: string): JsonNode | null {
    const node = this.node.members.get(key);
    return node === undefined || node.kind === 'null' ? null : node;
  }

  has(key: string): boolean {
    return this.node.members.has(key);
  }

  line(key: string): number {
    return this.node.members.get(key)?.line ?? this.node.line;
  }

  #wrong(key: string, node: JsonNode, wanted: string): null {
    if (node.kind === 'not_a_number') {
      this.issues.add(
        'not_a_number',
        'warning',
        node.line,
        `${this.owner}: ${key} is ${node.text}, which is no number, so it was not read.`,
      );
    } else {
      this.issues.add(
        'wrong_type',
        'warning',
        node.line,
        `${this.owner}: ${key} is ${KINDS[node.kind]} and not ${wanted}, so it was not read.`,
      );
    }
    return null;
  }

  /** Text of a member, bounded; null when it is not there or not text. */
  text(key: string): string | null {
    const node = this.#get(key);
    if (node === null) return null;
    if (node.kind !== 'string') return this.#wrong(key, node, 'text');
    // An escape in JSON can write a character that was taken out of the file's own text.
    const value = visibleText(node.value);
    if (value.length <= LIMITS.sourceText) return value;
    this.issues.add(
      'text_cut',
      'info',
      node.line,
      `${this.owner}: ${key} is very long and was cut to ${LIMITS.sourceText} characters.`,
    );
    return value.slice(0, LIMITS.sourceText);
  }

  /** A number within the bounds, both inclusive; null when it is not there, not a number or outside. */
  number(key: string, min: number, max: number): number | null {
    const node = this.#get(key);
    if (node === null) return null;
    if (node.kind !== 'number') return this.#wrong(key, node, 'a number');
    if (node.value >= min && node.value <= max) return node.value;
    this.issues.add(
      'out_of_range',
      'warning',
      node.line,
      `${this.owner}: ${key} is ${node.value}, outside ${min} to ${max}, so it was not read.`,
    );
    return null;
  }

  flag(key: string): boolean | null {
    const node = this.#get(key);
    if (node === null) return null;
    return node.kind === 'boolean' ? node.value : this.#wrong(key, node, 'true or false');
  }

  list(key: string): JsonNode[] | null {
    const node = this.#get(key);
    if (node === null) return null;
    return node.kind === 'array' ? node.items : this.#wrong(key, node, 'a list');
  }

  object(key: string): JsonObject | null {
    const node = this.#get(key);
    if (node === null) return null;
    return node.kind === 'object' ? node : this.#wrong(key, node, 'an object');
  }

  /** A time; an empty text counts as not written. One without a zone is reported and read as UTC. */
  time(key: string): FieldTime | null {
    const text = this.text(key);
    if (text === null || text.trim() === '') return null;
    const line = this.line(key);
    const time = readTime(text);
    if (time === null) {
      this.issues.add(
        'time_invalid',
        'warning',
        line,
        `${this.owner}: ${key} is not a time that can be read.`,
      );
      return null;
    }
    if (time.zone === null) {
      this.issues.add(
        'time_without_zone',
        'warning',
        line,
        `${this.owner}: ${key} has no time zone; it was read as UTC and not used to order events.`,
      );
    }
    return { ...time, line };
  }

  /** Id of a feature as text: a whole number, or a short name. */
  id(key: string): string | null {
    const node = this.#get(key);
    if (node === null) return null;
    return idOf(node) ?? this.#wrong(key, node, 'a whole number or a short name');
  }
}

/** A whole number from 0, or a name of letters, digits, `.`, `_` and `-`; null for anything else. */
export function idOf(node: JsonNode): string | null {
  if (node.kind === 'number')
    return Number.isSafeInteger(node.value) && node.value >= 0 ? String(node.value) : null;
  return node.kind === 'string' && /^[\w.-]{1,40}$/.test(node.value) ? node.value : null;
}

/** Reports what was wrong with a document as such. `unit` is what it lists ("features"), `read` how many of them were complete. */
export function reportDocument(document: JsonDocument, unit: string, read: number, issues: Issues): void {
  for (const { line, key } of document.duplicates) {
    issues.add(
      'duplicate_key',
      'warning',
      line,
      `The key "${key.slice(0, LIMITS.label)}" stands twice in one object; the later one was read.`,
    );
  }
  if (document.broken === null) return;
  const { line, why } = document.broken;
  const kept = `What is complete before it was read: ${read} ${read === 1 ? unit.replace(/s$/, '') : unit}.`;
  if (why === 'cut') issues.add('json_cut', 'error', line, `The file ends in the middle. ${kept}`);
  else if (why === 'invalid')
    issues.add('json_invalid', 'error', line, `From this line on the file is not JSON. ${kept}`);
  else if (why === 'too_deep')
    issues.add('json_too_deep', 'error', line, `Values are nested too deep to be read. ${kept}`);
  else issues.add('too_many_entries', 'error', line, `The file holds more values than are read. ${kept}`);
}
