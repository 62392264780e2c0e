/** A requirement that a test names, and how: the stronger way counts where it does so twice. */
export interface RequirementRef {
  ref: string;
  link: 'explicit' | 'tag' | 'name_match';
}

const STRENGTH = ['name_match', 'tag', 'explicit'] as const;
/** More of them in one place are no list of requirements. */
const MOST = 50;

/** `REQ-7`, `us_003`, `AC-12`: letters, a joint, digits. */
const ID = /^([A-Za-z][A-Za-z]{0,11})[-_](\d{1,6})$/;
/** `@req-7` in a title, or `[REQ-12]`. */
const MARKED = /(?:^|[\s([])@([A-Za-z]{1,12}[-_]\d{1,6})(?![\w-])|\[([A-Za-z]{1,12}[-_]\d{1,6})\]/g;
/** `REQ-7: shows rows`: in capitals, in front, as people number test cases. */
const LEADING = /^([A-Z]{1,12}-\d{1,6})(?::|\s[-–—]\s|\s)/;

/** As the record writes it: capitals and a hyphen; `feature-28` names the feature 28. */
function refOf(text: string): string | null {
  const found = ID.exec(text.trim().replace(/^@/, ''));
  if (!found) return null;
  return found[1]?.toLowerCase() === 'feature' ? (found[2] ?? null) : `${found[1]}-${found[2]}`.toUpperCase();
}

/** What an annotation or property `requirement` names: one or more ids in whatever form the project gives them. */
export const annotatedRefs = (text: string): RequirementRef[] =>
  text
    .split(/[,;\s]+/)
    .slice(0, MOST)
    .flatMap((part): RequirementRef[] => {
      const plain = part.replace(/^@/, '');
      return /^[\w.-]{1,60}$/.test(plain) ? [{ ref: refOf(plain) ?? plain, link: 'explicit' }] : [];
    });

/** Tags that have the form of an id; all others are about something else. */
export const taggedRefs = (tags: readonly string[]): RequirementRef[] =>
  tags.slice(0, MOST).flatMap((tag): RequirementRef[] => {
    const ref = refOf(tag);
    return ref === null ? [] : [{ ref, link: 'tag' }];
  });

/** Marks in a title, and an id in front of it. */
export function titleRefs(title: string): RequirementRef[] {
  const text = title.slice(0, 1_000);
  const marked = [...text.matchAll(MARKED)].slice(0, MOST).flatMap((found): RequirementRef[] => {
    const ref = refOf(found[1] ?? found[2] ?? '');
    return ref === null ? [] : [{ ref, link: 'tag' }];
  });
  const leading = refOf(LEADING.exec(text)?.[1] ?? '');
  return leading === null ? marked : [...marked, { ref: leading, link: 'name_match' }];
}

/** Names of annotations and properties that hold a requirement's id. */
const NAMES = new Set(['requirement', 'requirements', 'requirement_id', 'req', 'user_story']);
export const isRequirementName = (name: string): boolean =>
  NAMES.has(name.toLowerCase().replace(/[\s.-]+/g, '_'));

/** Each requirement once, in the order of naming, by its strongest link. */
export function uniqueRefs(refs: readonly RequirementRef[]): RequirementRef[] {
  const found = new Map<string, RequirementRef>();
  for (const one of refs) {
    const known = found.get(one.ref);
    if (!known || STRENGTH.indexOf(one.link) > STRENGTH.indexOf(known.link)) found.set(one.ref, one);
  }
  return [...found.values()];
}
