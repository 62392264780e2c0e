import { refsIn } from '../ralph/refs.ts';

/** The feature (story, task) a commit names, and where it names it. */
export interface NamedFeature {
  ref: string;
  method: 'trailer' | 'subject';
}

const TRAILERS = new Set(['feature', 'feature-id', 'story', 'story-id', 'user-story', 'task', 'task-id']);
/** A whole trailer is a name, or begins with one that has a number: `US-003 - Login`. A sentence is none. */
const VALUE = /^#?([A-Za-z0-9][\w.-]{0,39})$/;
const VALUE_FIRST = /^#?((?=[^\s\d]{0,20}\d)[A-Za-z0-9][\w.-]{0,39}?)(?:[:,]|\s|$)/;

/** `#28`, `US-003`, `T5`; a plain number is none, it could count anything. */
const ID = String.raw`#\d{1,9}|[A-Z][A-Z0-9]{0,9}-\d{1,6}|[TFS]-?\d{1,6}`;
/** `feat(#28): …`, `[T5] …`, `feat: US-003 - …`, `US-003: …`, `feature #28`. A number in brackets at the end is a pull request's. */
const PLACES = [
  new RegExp(String.raw`^\w{1,20}\((${ID})\)!?:`),
  new RegExp(String.raw`^\[(${ID})\]`),
  new RegExp(
    String.raw`^(?:\w{1,20}(?:\([^()]{0,60}\))?!?:\s{1,4})?\[?(${ID})\]?(?:$|:|\s(?!(?:and|&|\+|to|through)\s))`,
  ),
  /\b(?:feature|story|task) (#\d{1,9}|T\d{1,6})\b/i,
];
/** Names of standards look like names of stories. */
const STANDARDS = /^(?:UTF|SHA|ISO|RFC|CVE|ES|MD|HTTP|TLS|AES|RSA|WCAG|GPT|PEP|BASE|X)-\d/;
const STORIES = /^(?:US|STORY|TASK|FEAT|FEATURE|REQ|EPIC)-/;

const plain = (ref: string): string => ref.replace(/^#/, '');

/** Which feature a commit is for: what its trailers say, else its subject; null when it names none, or several. */
export function namedFeature(
  subject: string,
  trailers: readonly (readonly [key: string, value: string])[],
): NamedFeature | null {
  for (const [key, value] of trailers) {
    if (!TRAILERS.has(key.toLowerCase())) continue;
    const ref = VALUE.exec(value)?.[1] ?? VALUE_FIRST.exec(value)?.[1];
    if (ref !== undefined) return { ref, method: 'trailer' };
  }
  for (const place of PLACES) {
    const ref = place.exec(subject)?.[1];
    if (ref !== undefined && !STANDARDS.test(ref)) return { ref: plain(ref), method: 'subject' };
  }
  const mentioned = refsIn(subject).filter((ref) => STORIES.test(ref));
  return mentioned.length === 1 && mentioned[0] !== undefined
    ? { ref: mentioned[0], method: 'subject' }
    : null;
}
