import { LIMITS } from '../../../../shared/limits.ts';
import { idOf } from '../json-fields.ts';
import { type JsonDocument, type JsonNode, readJson } from '../json-tree.ts';
import { listedId } from '../ralph/rows.ts';
import { readYaml } from '../yaml-tree.ts';

/** One entry of a ledger: what it is about, and the fields that say how far it is. */
export interface LedgerEntry {
  title: string;
  fields: ReadonlyMap<string, string>;
}

/** The entries of one state of a ledger by their names. */
export type LedgerState = ReadonlyMap<string, LedgerEntry>;

/** Fields that ledgers of the known harnesses keep their word in. */
const FIELDS = [
  'passes',
  'skipped',
  'state',
  'status',
  'done',
  'completed',
  'manual_confirmed',
  'attempts',
  'final_score',
] as const;
/** Under which keys a ledger that is an object lists its entries. */
const LISTS = ['userStories', 'features', 'stories', 'tasks', 'items', 'queue'] as const;

/** A value as text; of a list (of attempts) its length. */
const valueText = (node: JsonNode | undefined): string | null => {
  if (node?.kind === 'boolean' || node?.kind === 'number') return String(node.value);
  if (node?.kind === 'array') return String(node.items.length);
  return node?.kind === 'string' ? node.value.slice(0, LIMITS.label) : null;
};

const textOf = (node: JsonNode | undefined): string => (node?.kind === 'string' ? node.value : '');

const FENCE = /^```ya?ml[ \t]*\r?\n/m;

/** A tracker kept as YAML in one fence of a Markdown file; null when the fence is not there or not closed. */
function fenced(text: string): string | null {
  const open = FENCE.exec(text);
  const start = open ? open.index + open[0].length : -1;
  const close = open ? text.indexOf('\n```', start) : -1;
  return close === -1 ? null : text.slice(start, close + 1);
}

function documentOf(path: string, text: string): JsonDocument | null {
  if (!/\.md$/i.test(path)) return readJson(text.replace(/^\uFEFF/, ''));
  const yaml = fenced(text);
  return yaml === null ? null : readYaml(yaml);
}

/**
 * What one state of a ledger says of its entries.
 * @param path tells the format: a Markdown file holds YAML, everything else is JSON
 * @returns null when it cannot be read as a whole: what a cut ledger does not show is not gone from it
 */
export function ledgerState(path: string, text: string): LedgerState | null {
  const document = documentOf(path, text);
  if (document === null || document.root === null || document.broken !== null) return null;
  const { root } = document;
  const list =
    root.kind === 'object'
      ? LISTS.map((key) => root.members.get(key)).find((node) => node?.kind === 'array')
      : root;
  if (list?.kind !== 'array') return null;
  const state = new Map<string, LedgerEntry>();
  for (const [index, node] of list.items.slice(0, LIMITS.ledgerEntries).entries()) {
    if (node.kind !== 'object') continue;
    const given = node.members.get('id');
    const name = given === undefined ? listedId(index, textOf(node.members.get('description'))) : idOf(given);
    if (name === null || state.has(name)) continue;
    const fields = FIELDS.flatMap((field): [string, string][] => {
      const value = valueText(node.members.get(field));
      return value === null ? [] : [[field, value]];
    });
    const title = textOf(node.members.get('title')) || textOf(node.members.get('description'));
    state.set(name, { title, fields: new Map(fields) });
  }
  return state;
}

/** One field of one entry that two states of a ledger tell differently; null where a state does not have it. */
export interface Flip {
  feature: string;
  field: string;
  from: string | null;
  to: string | null;
}

/**
 * What changed from one state to the next, entries in the order of the newer one, then those that are gone. An entry that kept
 * its name but is about something else now (a new plan in the same file) is one that went and one that came.
 */
export function flipsOf(before: LedgerState, after: LedgerState): Flip[] {
  const flips: Flip[] = [];
  for (const feature of new Set([...after.keys(), ...before.keys()])) {
    const [old, now] = [before.get(feature), after.get(feature)];
    const other = old !== undefined && now !== undefined && old.title !== now.title;
    for (const field of FIELDS) {
      const [from, to] = [old?.fields.get(field) ?? null, now?.fields.get(field) ?? null];
      if (from === to) continue;
      if (other && from !== null && to !== null)
        flips.push({ feature, field, from, to: null }, { feature, field, from: null, to });
      else flips.push({ feature, field, from, to });
    }
  }
  return flips;
}
