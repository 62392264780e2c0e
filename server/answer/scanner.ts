import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { parseString, parseValue } from './scan/parse.ts';
import {
  AFTER_ELEMENT,
  AFTER_VALUE,
  BACKSLASH,
  BEFORE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COLON_CHAR,
  COMMA,
  DONE,
  ELEMENT,
  ESCAPE,
  FIRST_ELEMENT,
  FIRST_KEY,
  HALVES,
  KEY,
  LAST_HALF,
  LOWER_U,
  NESTED,
  OPEN_BRACE,
  OPEN_BRACKET,
  OWN_KEY,
  OWN_VALUE,
  PLAIN,
  QUOTE,
  SCALAR,
  STRING,
  TOP_KEY,
  VALUE,
  WHOLE,
  Z_UPPER,
} from './scan/states.ts';
import type { ScanEvent } from './types.ts';

/** Finds the parts of one growing plan. Both methods never throw. */
export interface Scanner {
  /** Takes the next piece of text and gives what it completed. Looks at no earlier piece again. */
  push(delta: string): readonly ScanEvent[];
  /** The text is over: gives `cut_short` when the document is not. Calling it again gives nothing. */
  end(): readonly ScanEvent[];
}

export interface ScannerOptions {
  /** Longest text read, in UTF-16 code units; the rest is `plan_too_large`. */
  maxLength?: number;
  /** Blocks read; later ones are followed for their end, but neither kept nor parsed. */
  maxBlocks?: number;
}

/** Top-level values that are handed on; values of other keys are passed over without being kept. */
export const SECTIONS = ['about', 'facts', 'premises', 'checks', 'explanation', 'followUps'] as const;
const KNOWN = new Set<string>([...SECTIONS, 'blocks']);

/** Longest raw text of a key worth decoding: "explanation" with every character escaped, and its quotes. */
const KEY_LENGTH = 80;

const NONE: readonly ScanEvent[] = [];

const isSpace = (c: number): boolean => c === 32 || c === 10 || c === 13 || c === 9;

/** A key without its quotes; '' for one too long to be of interest, or broken. */
function decodeKey(raw: string): string {
  if (raw.length > KEY_LENGTH) return '';
  return parseString(raw, false) ?? '';
}

/**
 * The block scanner: a state machine over the characters of each delta. A value's pieces are kept as they come and
 * joined and parsed once, at the value's own end, so the cost is linear in the text however it is cut.
 *
 * Text before the document (prose, a code fence, a byte-order mark) and after it is passed over. A block that is not
 * JSON costs that block as long as its brackets can still be followed; where they cannot, or where a section is not
 * JSON or comes twice, `plan_invalid` ends the scan. A document that is a single bare block has no `blocks` and
 * therefore no block.
 */
class PlanScanner implements Scanner {
  #mode = BEFORE;
  #used = 0;
  #sawText = false;
  #events: ScanEvent[] = [];
  readonly #maxLength: number;
  readonly #maxBlocks: number;

  #key = '';
  readonly #seen = new Set<string>();
  #inBlocks = false;
  #index = -1;
  #overCounted = false;

  // The value being read: nesting depth, one bit a level (1 = array), and its text so far.
  #depth = 0;
  #kinds = 0;
  #keep = false;
  #text = '';
  #from = -1;
  #odd = false;
  #tooDeep = false;

  // The string being read, and what a draft needs of it.
  #string = PLAIN;
  #capture = '';
  #captureFrom = -1;
  #watch = false;
  #expectKey = true;
  #ownKey = '';
  #type: string | null = null;
  #title: string | null = null;

  constructor(options: ScannerOptions) {
    this.#maxLength = options.maxLength ?? LIMITS.planBytes;
    this.#maxBlocks = options.maxBlocks ?? LIMITS.blocksSeen;
  }

  push(delta: string): readonly ScanEvent[] {
    if (this.#mode === DONE) return NONE;
    const room = this.#maxLength - this.#used;
    const end = Math.min(delta.length, room);
    this.#used += end;
    let i = 0;
    while (i < end) {
      switch (this.#mode) {
        case STRING:
        case NESTED:
          i = this.#inValue(delta, i, end);
          break;
        case ESCAPE:
          if (delta.charCodeAt(i++) === LOWER_U) this.#odd = true;
          this.#mode = STRING;
          break;
        case SCALAR:
          i = this.#inScalar(delta, i, end);
          break;
        case DONE:
          i = end;
          break;
        default:
          i = this.#structure(delta, i);
      }
    }
    if (this.#mode !== DONE) {
      if (delta.length > room) {
        this.#fail('plan_too_large');
      } else {
        // What is being read goes on in the next delta.
        if (this.#from >= 0) {
          this.#text += this.#from === 0 ? delta : delta.slice(this.#from);
          this.#from = 0;
        }
        if (this.#captureFrom >= 0) {
          this.#capture += this.#captureFrom === 0 ? delta : delta.slice(this.#captureFrom);
          this.#captureFrom = 0;
        }
      }
    }
    return this.#take();
  }

  end(): readonly ScanEvent[] {
    if (this.#mode === BEFORE) this.#fail(this.#sawText ? 'plan_invalid' : 'plan_empty');
    else if (this.#mode !== DONE) this.#fail('cut_short');
    return this.#take();
  }

  #take(): readonly ScanEvent[] {
    if (this.#events.length === 0) return NONE;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** One character between values; gives the index to go on at. */
  #structure(delta: string, i: number): number {
    const c = delta.charCodeAt(i);
    if (isSpace(c)) return i + 1;
    switch (this.#mode) {
      case BEFORE:
        this.#sawText = true;
        if (c === OPEN_BRACE) this.#mode = FIRST_KEY;
        return i + 1;
      case FIRST_KEY:
        if (c === QUOTE) return this.#openKey(i);
        // A brace in prose opens no document.
        if (c !== OPEN_BRACE) this.#mode = BEFORE;
        return i + 1;
      case KEY:
        if (c === QUOTE) return this.#openKey(i);
        break;
      case COLON:
        if (c !== COLON_CHAR) break;
        this.#mode = VALUE;
        return i + 1;
      case VALUE:
        return this.#openValue(c, i);
      case AFTER_VALUE:
        if (c === COMMA) this.#mode = KEY;
        else if (c === CLOSE_BRACE) this.#mode = DONE;
        else break;
        return i + 1;
      case FIRST_ELEMENT:
      case AFTER_ELEMENT:
        if (c === CLOSE_BRACKET) {
          this.#inBlocks = false;
          this.#mode = AFTER_VALUE;
          return i + 1;
        }
        if (this.#mode === FIRST_ELEMENT) return this.#openElement(c, i);
        if (c !== COMMA) break;
        this.#mode = ELEMENT;
        return i + 1;
      case ELEMENT:
        return this.#openElement(c, i);
    }
    this.#fail('plan_invalid');
    return i + 1;
  }

  /** The string that opens at `i` is wanted for itself. */
  #wanted(string: number, i: number): void {
    this.#string = string;
    this.#capture = '';
    this.#captureFrom = i;
  }

  #openKey(i: number): number {
    this.#mode = STRING;
    this.#wanted(TOP_KEY, i);
    return i + 1;
  }

  #openValue(c: number, i: number): number {
    if (this.#key === 'blocks') {
      if (c !== OPEN_BRACKET) {
        this.#fail('plan_invalid');
        return i + 1;
      }
      this.#inBlocks = true;
      this.#mode = FIRST_ELEMENT;
      return i + 1;
    }
    this.#start(this.#key !== '', i);
    return this.#enter(c, i);
  }

  #openElement(c: number, i: number): number {
    this.#index++;
    const counted = this.#index < this.#maxBlocks;
    if (!counted && !this.#overCounted) {
      this.#overCounted = true;
      this.#problem('too_many_cards', this.#index);
    }
    this.#start(counted && c === OPEN_BRACE, i);
    this.#watch = this.#keep;
    this.#expectKey = true;
    this.#ownKey = '';
    this.#type = null;
    this.#title = null;
    if (c === COMMA || c === CLOSE_BRACKET || c === CLOSE_BRACE || c === COLON_CHAR) {
      this.#fail('plan_invalid');
      return i + 1;
    }
    if (counted && c !== OPEN_BRACE) this.#problem('block_invalid', this.#index);
    return this.#enter(c, i);
  }

  /** Begins a value at `i`; `keep` says whether its text is wanted. */
  #start(keep: boolean, i: number): void {
    this.#depth = 0;
    this.#kinds = 0;
    this.#keep = keep;
    this.#text = '';
    this.#from = keep ? i : -1;
    this.#odd = false;
    this.#tooDeep = false;
    this.#watch = false;
  }

  #enter(c: number, i: number): number {
    if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      this.#mode = NESTED;
      this.#depth = 1;
      this.#kinds = c === OPEN_BRACKET ? 1 : 0;
      return i + 1;
    }
    if (c === QUOTE) {
      this.#mode = STRING;
      this.#string = WHOLE;
      return i + 1;
    }
    this.#mode = SCALAR;
    return i;
  }

  /** Inside a value: the hot loop. Stays here from string to string; leaves when the value or the text ends. */
  #inValue(delta: string, start: number, end: number): number {
    let i = start;
    let inString = this.#mode === STRING;
    while (i < end) {
      const c = delta.charCodeAt(i++);
      if (inString) {
        if (c >= HALVES && c <= LAST_HALF) this.#odd = true;
        else if (c === BACKSLASH) {
          if (i === end) {
            this.#mode = ESCAPE;
            return i;
          }
          if (delta.charCodeAt(i++) === LOWER_U) this.#odd = true;
        } else if (c === QUOTE) {
          inString = false;
          if (this.#string !== PLAIN) {
            this.#closeString(delta, i);
            if (this.#mode !== NESTED) return i;
          }
        }
      } else if (c === QUOTE) {
        inString = true;
        this.#string = PLAIN;
        if (this.#watch && this.#depth === 1) {
          if (this.#expectKey) this.#wanted(OWN_KEY, i - 1);
          else if (this.#ownKey !== '') this.#wanted(OWN_VALUE, i - 1);
        }
      } else if (c === COMMA || c === COLON_CHAR) {
        if (this.#depth === 1) this.#expectKey = c === COMMA;
      } else if (c > Z_UPPER) {
        if (c === OPEN_BRACE || c === OPEN_BRACKET) {
          if (this.#deeper(c === OPEN_BRACKET)) return i;
        } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
          if (this.#close(c === CLOSE_BRACKET, delta, i)) return i;
        }
      }
    }
    this.#mode = inString ? STRING : NESTED;
    return i;
  }

  /** One level down; true when the scan is over. */
  #deeper(array: boolean): boolean {
    const depth = ++this.#depth;
    if (depth <= LIMITS.planDepth) {
      const bit = 1 << (depth - 1);
      this.#kinds = array ? this.#kinds | bit : this.#kinds & ~bit;
      return false;
    }
    if (this.#tooDeep) return false;
    this.#tooDeep = true;
    if (!this.#inBlocks) {
      // A section nobody asked for may be as deep as it likes: it is not kept.
      if (this.#keep) this.#fail('plan_invalid');
      return this.#mode === DONE;
    }
    if (this.#keep) this.#problem('block_too_deep', this.#index);
    this.#drop();
    return false;
  }

  /** One level up; true when the mode has changed. Openers of the other kind are passed over: the value is broken then. */
  #close(array: boolean, delta: string, after: number): boolean {
    while (this.#depth > 0) {
      const level = this.#depth--;
      // Deeper than the kinds are kept: taken for a match.
      if (level > LIMITS.planDepth) return false;
      if (((this.#kinds >>> (level - 1)) & 1) === (array ? 1 : 0)) {
        if (this.#depth > 0) return false;
        this.#finish(delta, after);
        return true;
      }
    }
    if (this.#inBlocks && array) {
      // The `]` of the blocks inside an unfinished block.
      if (this.#keep) this.#problem('block_invalid', this.#index);
      this.#drop();
      this.#inBlocks = false;
      this.#mode = AFTER_VALUE;
      return true;
    }
    this.#fail('plan_invalid');
    return true;
  }

  #closeString(delta: string, after: number): void {
    this.#mode = NESTED;
    if (this.#string === WHOLE) {
      this.#finish(delta, after);
      return;
    }
    const raw = this.#capture + delta.slice(this.#captureFrom, after);
    this.#capture = '';
    this.#captureFrom = -1;
    if (this.#string === TOP_KEY) {
      this.#topKey(raw);
      return;
    }
    if (this.#string === OWN_KEY) {
      const key = decodeKey(raw);
      this.#ownKey = key === 'type' || key === 'title' ? key : '';
      return;
    }
    const value = parseString(raw, this.#odd);
    if (this.#ownKey === 'type') this.#type = value;
    else this.#title = value;
    this.#ownKey = '';
    if (this.#type === null || this.#title === null) return;
    this.#watch = false;
    this.#events.push({ kind: 'draft', index: this.#index, type: this.#type, title: this.#title });
  }

  #topKey(raw: string): void {
    const key = decodeKey(raw);
    this.#key = KNOWN.has(key) ? key : '';
    this.#mode = COLON;
    if (this.#key === '') return;
    // A second `facts` would change what finished cards stand on; no later value is the right one.
    if (this.#seen.has(this.#key)) this.#fail('plan_invalid');
    this.#seen.add(this.#key);
  }

  #inScalar(delta: string, start: number, end: number): number {
    let i = start;
    while (i < end) {
      const c = delta.charCodeAt(i);
      if (c === COMMA || c === CLOSE_BRACE || c === CLOSE_BRACKET || isSpace(c)) {
        // The end belongs to what is around the value.
        this.#finish(delta, i);
        return i;
      }
      i++;
    }
    return i;
  }

  /** The value being read ends before `after`. */
  #finish(delta: string, after: number): void {
    this.#mode = this.#inBlocks ? AFTER_ELEMENT : AFTER_VALUE;
    if (!this.#keep) return;
    const text = this.#text + delta.slice(this.#from, after);
    this.#drop();
    const value = parseValue(text, this.#odd);
    if (this.#inBlocks) {
      if (value === undefined) this.#problem('block_invalid', this.#index);
      else this.#events.push({ kind: 'block', index: this.#index, value });
    } else if (value === undefined) this.#fail('plan_invalid');
    else this.#events.push({ kind: 'section', key: this.#key, value });
  }

  #drop(): void {
    this.#keep = false;
    this.#watch = false;
    this.#text = '';
    this.#from = -1;
  }

  #problem(code: Code, index: number | null): void {
    this.#events.push({ kind: 'problem', code, index });
  }

  /** Ends the scan: nothing after this is read or kept. */
  #fail(code: Code): void {
    this.#problem(code, null);
    this.#drop();
    this.#capture = '';
    this.#captureFrom = -1;
    this.#mode = DONE;
  }
}

/**
 * A scanner for one document of the plan's shape (shared/plan.ts).
 * @param options bounds, for texts larger than a plan may be
 */
export const createScanner = (options: ScannerOptions = {}): Scanner => new PlanScanner(options);
