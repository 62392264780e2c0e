import { parse } from 'yaml';
import { z } from 'zod/v4';
import { LIMITS } from '../../../../shared/limits.ts';
import { idOf } from '../json-fields.ts';
import { type JsonNode, readJson } from '../json-tree.ts';
import { listedId } from '../ralph/rows.ts';

/** Fields of each entry of a ledger, by the entry's name. Only those that say how far the entry is. */
export type LedgerState = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Fields that ledgers of the known harnesses keep their word in. */
const FIELDS = ['passes', 'skipped', 'state', 'status', 'done', 'completed', 'manual_confirmed'] as const;
/** Under which keys a ledger that is an object lists its entries. */
const LISTS = ['userStories', 'features', 'stories', 'tasks', 'items', 'queue'] as const;

const valueText = (node: JsonNode | undefined): string | null => {
  if (node?.kind === 'boolean' || node?.kind === 'number') return String(node.value);
  return node?.kind === 'string' ? node.value.slice(0, LIMITS.label) : null;
};

const textOf = (node: JsonNode | undefined): string => (node?.kind === 'string' ? node.value : '');

function jsonState(text: string): LedgerState | null {
  const { root, broken } = readJson(text);
  // What a cut ledger does not show is not gone from it.
  if (broken !== null || root === null) return null;
  const list =
    root.kind === 'array'
      ? root
      : root.kind === 'object'
        ? LISTS.map((key) => root.members.get(key)).find((node) => node?.kind === 'array')
        : undefined;
  if (list?.kind !== 'array') return null;
  const state = new Map<string, Map<string, string>>();
  for (const [index, node] of list.items.slice(0, LIMITS.ledgerEntries).entries()) {
    if (node.kind !== 'object') continue;
    const given = node.members.get('id');
    const name = given === undefined ? listedId(index, textOf(node.members.get('description'))) : idOf(given);
    if (name === null || state.has(name)) continue;
    const fields = FIELDS.flatMap((field): [string, string][] => {
      const value = valueText(node.members.get(field));
      return value === null ? [] : [[field, value]];
    });
    state.set(name, new Map(fields));
  }
  return state;
}

const Entry = z.looseObject({ id: z.union([z.string().min(1), z.number()]) });
const Tracker = z.union([
  z.array(z.unknown()),
  z.looseObject({ tasks: z.array(z.unknown()) }).transform(({ tasks }) => tasks),
]);
const Scalar = z.union([z.string(), z.number(), z.boolean()]);
const FENCE = /^```ya?ml[ \t]*\r?\n/m;

/** A tracker kept as YAML in one fence of a Markdown file. */
function yamlState(text: string): LedgerState | null {
  const open = FENCE.exec(text);
  if (!open) return null;
  const start = open.index + open[0].length;
  const close = text.indexOf('\n```', start);
  if (close === -1) return null;
  let value: unknown;
  try {
    value = parse(text.slice(start, close), { maxAliasCount: 0, logLevel: 'error' });
  } catch {
    return null;
  }
  const tracker = Tracker.safeParse(value);
  if (!tracker.success) return null;
  const state = new Map<string, Map<string, string>>();
  for (const item of tracker.data.slice(0, LIMITS.ledgerEntries)) {
    const entry = Entry.safeParse(item);
    if (!entry.success) continue;
    const name = String(entry.data.id).slice(0, LIMITS.label);
    const fields = FIELDS.flatMap((field): [string, string][] => {
      const read = Scalar.safeParse(entry.data[field]);
      return read.success ? [[field, String(read.data).slice(0, LIMITS.label)]] : [];
    });
    if (!state.has(name)) state.set(name, new Map(fields));
  }
  return state;
}

/**
 * What one state of a ledger says of its entries.
 * @param path tells the format: a Markdown file holds YAML, everything else is JSON
 * @returns null when it cannot be read as a whole
 */
export const ledgerState = (path: string, text: string): LedgerState | null =>
  /\.md$/i.test(path) ? yamlState(text) : jsonState(text.replace(/^\uFEFF/, ''));

/** One field of one entry that two states of a ledger tell differently; null where a state does not have it. */
export interface Flip {
  feature: string;
  field: string;
  from: string | null;
  to: string | null;
}

/** What changed from one state to the next, entries in the order of the newer one, then those that are gone. */
export function flipsOf(before: LedgerState, after: LedgerState): Flip[] {
  const flips: Flip[] = [];
  for (const feature of new Set([...after.keys(), ...before.keys()])) {
    const [old, now] = [before.get(feature), after.get(feature)];
    for (const field of FIELDS) {
      const [from, to] = [old?.get(field) ?? null, now?.get(field) ?? null];
      if (from !== to) flips.push({ feature, field, from, to });
    }
  }
  return flips;
}
