import { LIMITS } from '../../../shared/limits.ts';

/**
 * A JSON reader that keeps what `JSON.parse` throws away: the line each value stands on, and everything that is complete
 * before the place where a document breaks off. It repairs nothing: a value cut in the middle is no value.
 * Objects are maps, so no key of a document can touch a prototype.
 */
export type JsonNode = { line: number } & (
  | { kind: 'object'; members: Map<string, JsonNode>; complete: boolean }
  | { kind: 'array'; items: JsonNode[]; complete: boolean }
  | { kind: 'string'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'null' }
  /** `NaN`, `Infinity` or a number too large: written by some serialisers, not JSON. */
  | { kind: 'not_a_number'; text: string }
);

export interface JsonDocument {
  /** Null when not even the first value begins. */
  root: JsonNode | null;
  /** Where and why reading ended early; null when the whole document was read. */
  broken: { line: number; why: 'cut' | 'invalid' | 'too_deep' | 'too_many' } | null;
  /** Lines of keys that an object has twice; the later one counts. */
  duplicates: { line: number; key: string }[];
}

class Broken extends Error {
  constructor(readonly why: 'cut' | 'invalid' | 'too_deep' | 'too_many') {
    super(why);
  }
}

/** What can stand where a number, `true`, `false` or `null` does; read as a whole, so that no part of it is taken for the whole. */
const TOKEN = /[-+.\w]+/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const QUOTE = 34;
const BACKSLASH = 92;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

class Reader {
  #at = 0;
  #line = 1;
  #values = 0;
  readonly duplicates: { line: number; key: string }[] = [];

  constructor(readonly text: string) {}

  get line(): number {
    return this.#line;
  }

  #space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.#at);
      if (code === 10) this.#line += 1;
      else if (code !== 32 && code !== 9 && code !== 13) return;
      this.#at += 1;
    }
  }

  /** The next character, which must exist. */
  #next(): string {
    this.#space();
    const char = this.text[this.#at];
    if (char === undefined) throw new Broken('cut');
    return char;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.text)?.[0] ?? null;
  }

  /** Nothing but white space may follow the document. */
  end(): void {
    this.#space();
    if (this.#at < this.text.length) throw new Broken('invalid');
  }

  /** Reads one value and hands it to `keep` as soon as it exists, so that a break further in leaves what was read so far. */
  value(depth: number, keep: (node: JsonNode) => void): void {
    const char = this.#next();
    this.#values += 1;
    if (depth > LIMITS.sourceDepth) throw new Broken('too_deep');
    if (this.#values > LIMITS.sourceValues) throw new Broken('too_many');
    const line = this.#line;
    if (char === '{') this.#object(line, depth, keep);
    else if (char === '[') this.#array(line, depth, keep);
    else if (char === '"') keep({ kind: 'string', value: this.#string(), line });
    else keep(this.#scalar(line));
  }

  #object(line: number, depth: number, keep: (node: JsonNode) => void): void {
    const node: JsonNode = { kind: 'object', members: new Map(), complete: false, line };
    keep(node);
    this.#at += 1;
    let first = true;
    while (this.#next() !== '}') {
      if (!first) {
        if (this.#next() !== ',') throw new Broken('invalid');
        this.#at += 1;
      }
      first = false;
      if (this.#next() !== '"') throw new Broken('invalid');
      const keyLine = this.#line;
      const key = this.#string();
      if (this.#next() !== ':') throw new Broken('invalid');
      this.#at += 1;
      if (node.members.has(key) && this.duplicates.length < LIMITS.sourceIssues) {
        this.duplicates.push({ line: keyLine, key });
      }
      this.value(depth + 1, (child) => {
        // A member is cited by the line of its key, also when its value begins on the next one.
        child.line = keyLine;
        node.members.set(key, child);
      });
    }
    this.#at += 1;
    node.complete = true;
  }

  #array(line: number, depth: number, keep: (node: JsonNode) => void): void {
    const node: JsonNode = { kind: 'array', items: [], complete: false, line };
    keep(node);
    this.#at += 1;
    let first = true;
    while (this.#next() !== ']') {
      if (!first) {
        if (this.#next() !== ',') throw new Broken('invalid');
        this.#at += 1;
      }
      first = false;
      this.value(depth + 1, (child) => {
        node.items.push(child);
      });
    }
    this.#at += 1;
    node.complete = true;
  }

  #string(): string {
    const { text } = this;
    let out = '';
    let at = this.#at + 1;
    let from = at;
    for (;;) {
      const code = text.charCodeAt(at);
      if (Number.isNaN(code)) throw new Broken('cut');
      if (code === QUOTE) break;
      if (code < 32) throw new Broken('invalid');
      if (code !== BACKSLASH) {
        at += 1;
        continue;
      }
      out += text.slice(from, at);
      const mark = text[at + 1];
      if (mark === undefined) throw new Broken('cut');
      if (mark === 'u') {
        const hex = text.slice(at + 2, at + 6);
        if (hex.length < 4) throw new Broken('cut');
        if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw new Broken('invalid');
        out += String.fromCharCode(Number.parseInt(hex, 16));
        at += 6;
      } else {
        const meant = ESCAPES.get(mark);
        if (meant === undefined) throw new Broken('invalid');
        out += meant;
        at += 2;
      }
      from = at;
    }
    this.#at = at + 1;
    return out + text.slice(from, at);
  }

  #scalar(line: number): JsonNode {
    const token = this.#match(TOKEN);
    if (token === null) throw new Broken('invalid');
    this.#at += token.length;
    // The document may end inside a number or word: 1 could have become 12.
    if (this.#at >= this.text.length) throw new Broken('cut');
    if (NUMBER.test(token)) {
      const value = Number(token);
      return Number.isFinite(value)
        ? { kind: 'number', value, line }
        : { kind: 'not_a_number', text: token.slice(0, 40), line };
    }
    if (token === 'true' || token === 'false') return { kind: 'boolean', value: token === 'true', line };
    if (token === 'null') return { kind: 'null', line };
    if (/^[-+]?(?:NaN|Infinity|inf)$/i.test(token)) return { kind: 'not_a_number', text: token, line };
    throw new Broken('invalid');
  }
}

/** Reads a document. Never throws for what the text holds; bounded in depth and in the number of values. */
export function readJson(text: string): JsonDocument {
  const reader = new Reader(text);
  let root: JsonNode | null = null;
  try {
    reader.value(0, (node) => {
      root = node;
    });
    reader.end();
    return { root, broken: null, duplicates: reader.duplicates };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { root, broken: { line: reader.line, why: error.why }, duplicates: reader.duplicates };
  }
}
