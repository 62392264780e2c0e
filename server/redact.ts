import { LIMITS } from '../shared/limits.ts';

/**
 * Takes secrets out of text before it is written anywhere: the configured ones in whole, in part, encoded or pulled apart
 * by quoting, and whatever looks like a credential by its form.
 */
export type Redact = (text: string) => string;

export const REDACTED = '[redacted]';
/** Characters in a row of a configured secret that give it away; shorter secrets are looked for whole. */
const GRAM = 10;
/** A "secret" shorter than this would take ordinary words out of every line. */
const SHORTEST = 4;

/** Text as its letters, each with the range it was written in: escapes undone, quoting and space left out. */
interface Plain {
  text: string;
  from: number[];
  to: number[];
}

const LETTER = /\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|%([0-9a-fA-F]{2})|&#(\d{1,5});|([^"'`\\+,\s])/gu;

function plain(text: string): Plain {
  const from: number[] = [];
  const to: number[] = [];
  let out = '';
  for (const match of text.matchAll(LETTER)) {
    const code = match[1] ?? match[2] ?? match[3];
    const letter =
      match[5] ?? String.fromCharCode(code === undefined ? Number(match[4]) : Number.parseInt(code, 16));
    if (/["'`\\+,\s]/.test(letter)) continue;
    for (const unit of letter.toLowerCase().slice(0, letter.length)) {
      out += unit;
      for (let i = 0; i < unit.length; i++) {
        from.push(match.index);
        to.push(match.index + match[0].length);
      }
    }
  }
  return { text: out, from, to };
}

/** A secret as it is, and as Basic and data URLs carry it. */
function forms(secret: string): string[] {
  const base64 = Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, '');
  return [secret, base64, base64.replaceAll('+', '-').replaceAll('/', '_')]
    .map((form) => plain(form).text)
    .filter((form) => form.length >= SHORTEST);
}

interface Needles {
  whole: string[];
  grams: Set<string>;
}

function needles(secrets: readonly string[]): Needles {
  const whole: string[] = [];
  const grams = new Set<string>();
  for (const form of secrets.filter((secret) => secret.length >= SHORTEST).flatMap(forms)) {
    if (form.length < GRAM) whole.push(form);
    for (let i = 0; i + GRAM <= form.length; i++) grams.add(form.slice(i, i + GRAM));
  }
  return { whole, grams };
}

function withoutSecrets(text: string, { whole, grams }: Needles): string {
  if (whole.length === 0 && grams.size === 0) return text;
  const letters = plain(text);
  const ranges: { from: number; to: number }[] = [];
  const mark = (at: number, length: number): void => {
    const from = letters.from[at];
    const to = letters.to[at + length - 1];
    if (from === undefined || to === undefined) return;
    const last = ranges.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
  };
  for (let at = 0; at < letters.text.length; at++) {
    if (grams.has(letters.text.slice(at, at + GRAM))) mark(at, GRAM);
    for (const word of whole) if (letters.text.startsWith(word, at)) mark(at, word.length);
  }
  let out = '';
  let done = 0;
  for (const range of ranges) {
    out += text.slice(done, range.from) + REDACTED;
    done = range.to;
  }
  return out + text.slice(done);
}

const NAMES =
  'proxy-authorization|authorization|x-api-key|api[-_ ]?key|apikey|access[-_]?token|refresh[-_]?token|id[-_]?token|auth[-_]?token|client[-_]?secret|set-cookie|cookie|secret|password|passwd|pwd|token';
/** Credentials by form. Each pattern runs in linear time: no nested repeats, every repeat of its own class. */
const FORMS: readonly [RegExp, string][] = [
  // A scheme and what follows, quoted or not.
  [/\b(bearer)(["'\\\s:=]{1,8})[^\s"'\\,;]{3,}/gi, `$1$2${REDACTED}`],
  [/\b(basic|token)(\s{1,4})(?=[^\s"']*[\d=])[A-Za-z0-9._~+/=-]{8,}/gi, `$1$2${REDACTED}`],
  // A named value: header, JSON member, assignment, and a header as a pair in a list.
  [
    new RegExp(
      `(?<![A-Za-z])(${NAMES})(["'\\\\]{0,4}\\s{0,4}[:=]\\s{0,4}["'\\\\]{0,4}|["'\\\\]{1,4}\\s{0,4},\\s{0,4}["'\\\\]{1,4})(?!\\[redacted\\])[^\\s"'\\\\,;&}\\]]+(?:[ ](?!\\[redacted\\])[A-Za-z0-9._~+/=-]{8,})?`,
      'gi',
    ),
    `$1$2${REDACTED}`,
  ],
  // Query strings, where even short names mean a credential; and the user part of an address.
  [
    /([?&;](?:[\w.-]{0,24}(?:token|key|secret|password|signature|credential)|auth|access|sig|code|jwt|session)=)[^&#\s"'\\]+/gi,
    `$1${REDACTED}`,
  ],
  [/\b([a-z][a-z0-9+.-]{1,15}:\/\/)[^\s/@"'\\]{1,400}@/gi, `$1${REDACTED}@`],
  // Well-known prefixes, also with a quote after the prefix.
  [/(?<![A-Za-z0-9])[sprg]k[-_]["'`\\+\s]{0,8}[\w*.-]{6,}(?:["'`\\+\s]{1,8}[\w*-]{16,})*/gi, REDACTED],
  [/(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hf_|AKIA|ASIA|AIza)[\w-]{12,}/g, REDACTED],
  [/(?<![A-Za-z0-9])eyJ[\w-]{8,}(?:\.[\w-]{4,}){0,4}/g, REDACTED],
];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LONG = /[A-Za-z0-9_+=-]{32,}/g;
/** Long, mixed, without a meaning a reader of a log needs. Names of answers (UUIDs) stay. */
const tokenLike = (text: string): boolean => /\d/.test(text) && /[A-Za-z]/.test(text) && !UUID.test(text);

/**
 * A redactor that knows these secrets.
 * @param secrets configured keys and tokens; empty and very short ones are left alone
 * @param longest characters that are kept of one text
 * @returns a function from any text to the same text without credentials, at most `longest` characters of it
 */
export function createRedactor(secrets: readonly string[], longest: number = LIMITS.logText): Redact {
  const known = needles(secrets);
  return (text) => {
    const cut = text.length > longest;
    let out = withoutSecrets(cut ? text.slice(0, longest) : text, known);
    for (const [form, instead] of FORMS) out = out.replace(form, instead);
    out = out.replace(LONG, (run) => (tokenLike(run) ? REDACTED : run));
    return cut ? `${out} … (${text.length} characters)` : out;
  };
}

/** Only the configured secrets, in texts of any length that must otherwise stay as they are. Short ones are words too. */
export function createSecretRemover(secrets: readonly string[]): Redact {
  const known = needles(secrets.filter((secret) => secret.length >= 2 * GRAM));
  return (text) => withoutSecrets(text, known);
}

/** Removes what looks like a credential; for a configured key use createRedactor. */
export const redact: Redact = createRedactor([]);

const SECRET_NAME = new RegExp(`^(?:${NAMES})$`, 'i');

/**
 * The same for any value: strings, errors with their causes, lists and objects, as plain data for a log.
 * Depth, breadth and length are bounded; a cycle becomes a word.
 */
export function redactValue(value: unknown, clean: Redact = redact): unknown {
  const seen = new WeakSet<object>();
  const members = (source: object, depth: number, skip: readonly string[]): Record<string, unknown> => {
    const out: Record<string, unknown> = Object.create(null);
    let names = 0;
    for (const [name, member] of Object.entries(source)) {
      if (skip.includes(name)) continue;
      if (++names > LIMITS.logEntries) break;
      out[clean(name)] =
        SECRET_NAME.test(name) && typeof member === 'string' ? REDACTED : walk(member, depth + 1);
    }
    return out;
  };
  const walk = (item: unknown, depth: number): unknown => {
    if (typeof item === 'string') return clean(item);
    if (typeof item === 'bigint') return item.toString();
    if (typeof item === 'function' || typeof item === 'symbol') return `[${typeof item}]`;
    if (typeof item !== 'object' || item === null) return item;
    if (seen.has(item)) return '[seen]';
    if (depth > LIMITS.logDepth) return '[deep]';
    seen.add(item);
    if (item instanceof Error) {
      return {
        type: clean(item.name),
        message: clean(item.message),
        stack: clean(item.stack ?? ''),
        ...members(item, depth, ['name', 'message', 'stack', 'headers', 'cause', 'errors']),
        ...(item instanceof AggregateError ? { errors: walk(item.errors, depth + 1) } : {}),
        ...(item.cause === undefined ? {} : { cause: walk(item.cause, depth + 1) }),
      };
    }
    if (item instanceof URL) return clean(item.href);
    if (Array.isArray(item)) return item.slice(0, LIMITS.logEntries).map((member) => walk(member, depth + 1));
    if (item instanceof Map || item instanceof Set) return walk([...item], depth);
    if (ArrayBuffer.isView(item)) return `[${item.byteLength} bytes]`;
    return members(item, depth, []);
  };
  return walk(value, 0);
}
