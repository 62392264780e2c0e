import { LIMITS } from '../../../shared/limits.ts';
import type { Action, MeasureRef, Sentence, Where } from '../../../shared/plan.ts';
import { type Findings, listOf, nameOf, oneOf, own, rawOf, readList, textOf } from './reading.ts';
import { cleanText, cutText } from './text.ts';

/** Filters of one query, and values of one filter: more is no filter a person could follow. */
const MAX_WHERE = 8;
const MAX_VALUES = 200;

/** Names a planner gives to facts, premises and checks; they stand in placeholders. */
const NAME = /^[A-Za-z][\w-]{0,63}$/;
/** The name, or null when it could not stand in a placeholder. */
export function ownName(value: unknown): string | null {
  const name = nameOf(value);
  return name !== null && NAME.test(name) ? name : null;
}

const bound = (value: unknown): string | null => nameOf(value, LIMITS.label);

/** One filter. A filter that cannot be read is never left out: without it a figure would mean something else. */
function where(value: unknown): Where | null {
  const raw = rawOf(value);
  if (!raw) return null;
  const dim = nameOf(own(raw, 'dim'));
  if (dim === null) return null;
  const range = own(raw, 'from') !== undefined || own(raw, 'to') !== undefined;
  const type = oneOf(own(raw, 'type'), ['in', 'range'], range ? 'range' : 'in');
  if (type === 'range') {
    const from = own(raw, 'from');
    const to = own(raw, 'to');
    const low = bound(from);
    const high = bound(to);
    const unread = (from !== undefined && low === null) || (to !== undefined && high === null);
    return unread || (low === null && high === null) ? null : { type, dim, from: low, to: high };
  }
  const not = own(raw, 'not') ?? false;
  const given = listOf(own(raw, 'any_of'));
  if (type === null || typeof not !== 'boolean' || given.length === 0 || given.length > MAX_VALUES)
    return null;
  const values = given.flatMap((entry) => nameOf(typeof entry === 'boolean' ? String(entry) : entry) ?? []);
  return values.length === given.length ? { type, dim, not, any_of: [...new Set(values)] } : null;
}

/** The filters of a slot; null when one of them cannot be read. */
export function wheres(value: unknown, at: string, findings: Findings): Where[] | null {
  const given = listOf(value);
  if (given.length > MAX_WHERE) return findings.refuse(`${at}: more filters than are read`);
  const read = given.map(where);
  const good = read.flatMap((entry) => entry ?? []);
  return good.length === read.length ? good : findings.refuse(`${at}: a filter that cannot be read`);
}

/** A measure with its source; the name alone means the counted one. */
export function measureRef(value: unknown): MeasureRef | null {
  const raw = rawOf(value);
  const measure = nameOf(raw ? own(raw, 'measure') : value);
  const given = raw ? own(raw, 'source') : undefined;
  const source = given === undefined ? 'counted' : nameOf(given);
  return measure === null || source === null ? null : { measure, source };
}

/** A sentence, bounded. One whose condition cannot be read is none: it would be said always. */
export function sentence(value: unknown, max: number = LIMITS.body): Sentence | null {
  const raw = rawOf(value);
  const given = raw ? own(raw, 'says') : value;
  if (typeof given !== 'string') return null;
  const says = cutText(cleanText(given.slice(0, LIMITS.planBytes), true), max);
  if (says === '') return null;
  const condition = raw ? own(raw, 'when') : undefined;
  if (condition === undefined) return { says, when: null };
  const when = rawOf(condition);
  const name = when && ownName(own(when, 'name'));
  const is = when && oneOf(own(when, 'is'), ['true', 'false', 'unknown'], 'true');
  return name && is ? { says, when: { name, is } } : null;
}

/** Buttons: those that can be read, at most two. A request that is too long is no button rather than half a question. */
export function actionsOf(value: unknown, findings: Findings): Action[] {
  const given = listOf(value);
  const actions = readList(given, LIMITS.actions, (entry): Action | null => {
    const raw = rawOf(entry);
    const label = raw && textOf(own(raw, 'label'), LIMITS.label);
    const request = raw && nameOf(own(raw, 'request'), LIMITS.request);
    return label && request ? { label, request } : null;
  });
  findings.trimmed(actions.length, given.length, 'buttons');
  return actions;
}
