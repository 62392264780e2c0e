import { LIMITS } from '../../../shared/limits.ts';
import { type About, type Check, Fact, type Premise, Scope, type Sentence } from '../../../shared/plan.ts';
import type { Checked, Preamble } from '../types.ts';
import { measureRef, ownName, sentence, wheres } from './parts.ts';
import { checked, Findings, listOf, nameOf, oneOf, own, type Raw, rawOf, readList } from './reading.ts';
import { cleanText } from './text.ts';

/** What the plan is about; null when a filter of it cannot be read, because everything would then be about more. */
function aboutOf(value: unknown, findings: Findings): About | null {
  const raw = rawOf(value);
  if (!raw) return { feature: null, scope: [] };
  const given = own(raw, 'feature');
  const feature = given === undefined ? null : nameOf(given);
  if (given !== undefined && feature === null) return findings.refuse('about.feature: not a feature');
  const scope = wheres(own(raw, 'scope'), 'about.scope', findings);
  return scope && { feature, scope };
}

const nameless = (findings: Findings, at: string): null => findings.refuse(`${at}: no name that can be used`);

function fact(value: unknown, index: number, findings: Findings): Fact | null {
  const at = `facts[${index}]`;
  const raw = rawOf(value);
  const name = raw && ownName(own(raw, 'name'));
  if (!raw || !name) return nameless(findings, at);
  const of = own(raw, 'of');
  const ref = measureRef(of === undefined ? raw : of);
  const kind = oneOf(own(raw, 'kind'), Fact.shape.kind.options, 'value');
  const scope = oneOf(own(raw, 'scope'), Scope.options, 'about');
  const given = own(raw, 'by');
  const by = given === undefined ? null : nameOf(given);
  const where = wheres(own(raw, 'where'), `${at}.where`, findings);
  if (!ref || !kind || !scope || !where || (given !== undefined && by === null))
    return findings.refuse(`${at}: cannot be read`);
  return { name, kind, ...ref, by, scope, where };
}

/** The sentences of the three outcomes. */
function outcomes(raw: Raw) {
  const says = (key: string): string | null => sentence(own(raw, key), LIMITS.request)?.says ?? null;
  return { if_true: says('if_true'), if_false: says('if_false'), if_unknown: says('if_unknown') };
}

function premise(value: unknown, index: number, findings: Findings): Premise | null {
  const at = `premises[${index}]`;
  const raw = rawOf(value);
  const name = raw && ownName(own(raw, 'name'));
  if (!raw || !name) return nameless(findings, at);
  const of = ownName(own(raw, 'fact'));
  switch (own(raw, 'type')) {
    case 'figure': {
      const is = oneOf(own(raw, 'is'), ['is', 'at_least', 'at_most'], 'is');
      const claimed = nameOf(own(raw, 'claimed'), LIMITS.request);
      if (of && is && claimed) return { type: 'figure', name, fact: of, is, claimed, ...outcomes(raw) };
      break;
    }
    case 'relation': {
      const given = own(raw, 'is');
      const is = (['more_than', 'less_than', 'same_as', 'same_label_as'] as const).find(
        (word) => word === given,
      );
      const other = ownName(own(raw, 'other'));
      if (of && is && other) return { type: 'relation', name, fact: of, is, other, ...outcomes(raw) };
      break;
    }
    case 'state': {
      const feature = nameOf(own(raw, 'feature'));
      const field = (['status', 'category'] as const).find((word) => word === own(raw, 'field'));
      const is = nameOf(own(raw, 'is'));
      if (feature && field && is) return { type: 'state', name, feature, field, is, ...outcomes(raw) };
      break;
    }
  }
  return findings.refuse(`${at}: cannot be read`);
}

function check(value: unknown, index: number, findings: Findings): Check | null {
  const at = `checks[${index}]`;
  const raw = rawOf(value);
  const name = raw && ownName(own(raw, 'name'));
  if (!raw || !name) return nameless(findings, at);
  const type = own(raw, 'type');
  const ref = measureRef(raw);
  if (ref && type === 'agree') return { type, name, measure: ref.measure, ...outcomes(raw) };
  if (ref && type === 'recorded') return { type, name, ...ref, ...outcomes(raw) };
  return findings.refuse(`${at}: cannot be read`);
}

/** Entries with a name of their own; of two with one name the first stays, as facts are used as they are declared. */
function named<T extends { name: string }>(
  value: unknown,
  max: number,
  key: string,
  taken: Set<string>,
  findings: Findings,
  read: (value: unknown, index: number, findings: Findings) => T | null,
): T[] {
  const given = listOf(value);
  const found = readList(given, max, (entry, index) => {
    const one = read(entry, index, findings);
    if (one === null) return null;
    if (taken.has(one.name)) return findings.refuse(`${key}[${index}]: the name is taken`);
    taken.add(one.name);
    return one;
  });
  findings.trimmed(found.length, given.length, key);
  return found;
}

/**
 * Reads what stands before the blocks. A fact, premise or check that cannot be read is left out: what uses it is then
 * unbound and says so. Only an `about` that cannot be read refuses the whole, because nothing else can take its place.
 * @param sections values by top-level key, as the scanner found them
 */
export function sanitizePreamble(sections: ReadonlyMap<string, unknown>): Checked<Preamble> {
  const findings = new Findings();
  const about = aboutOf(sections.get('about') ?? undefined, findings);
  const list = (key: string): unknown => sections.get(key) ?? undefined;
  const outcomeNames = new Set<string>();
  const facts = named(list('facts'), LIMITS.facts, 'facts', new Set(), findings, fact);
  const premises = named(list('premises'), LIMITS.premises, 'premises', outcomeNames, findings, premise);
  const checks = named(list('checks'), LIMITS.checks, 'checks', outcomeNames, findings, check);
  return checked(about && { about, facts, premises, checks }, findings, 'plan_invalid');
}

/** Sentences for the chat; those that cannot be read are left out. */
export function sanitizeExplanation(value: unknown): Sentence[] {
  return readList(listOf(value ?? undefined), LIMITS.explanation, (entry) => sentence(entry));
}

/** Questions to go on with: each once, none cut. */
export function sanitizeFollowUps(value: unknown): string[] {
  const seen = new Set<string>();
  return readList(listOf(value ?? undefined), LIMITS.followUps, (entry) => {
    const text = typeof entry === 'string' ? cleanText(entry.slice(0, LIMITS.planBytes)) : '';
    const key = text.toLowerCase();
    if (text === '' || text.length > LIMITS.request || seen.has(key)) return null;
    seen.add(key);
    return text;
  });
}
