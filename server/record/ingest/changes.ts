import type { Found, FoundUnit } from './discover.ts';
import type { Resume } from './open-source.ts';
import { contentSha, sizeOfState, sourceState, tailSha } from './read-source.ts';
import type { StoredSource } from './stored-sources.ts';

/** What is to be done with one unit. `states` are those before anything is read, so a change during reading is seen later. */
export type UnitChange = { unit: FoundUnit; states: ReadonlyMap<string, string> } & (
  | { how: 'keep' }
  /** Same content in files that were touched: only their state is noted. */
  | { how: 'touched' }
  | { how: 'append'; resume: Resume; carry: string }
  | { how: 'anew' }
);

/** How a log that has only grown is read on; null when it must be read anew. */
async function growth(
  { adapter, sources: [source] }: FoundUnit,
  stored: StoredSource | undefined,
): Promise<{ resume: Resume; carry: string } | null> {
  if (!adapter.appendable || !source || source.at.type !== 'file' || !stored) return null;
  const { offset, line, carry, sha, tailSha: tail } = stored;
  if (offset === null || line === null || carry === null || sha === null || tail === null) return null;
  if ((await tailSha(source.at.file, offset)) !== tail) return null;
  return { resume: { offset, no: line, sha }, carry };
}

/** Compares one unit with what is known of it. */
export async function changeOf(unit: FoundUnit, stored: readonly StoredSource[]): Promise<UnitChange> {
  const states = new Map<string, string>();
  for (const source of unit.sources) states.set(source.id, await sourceState(source));
  const before = new Map(stored.map((source) => [source.id, source]));
  const known =
    before.size === unit.sources.length &&
    unit.sources.every(({ id, path }) => {
      const one = before.get(id);
      return one?.path === path && one.parser === unit.adapter.id && one.version === unit.adapter.version;
    });
  if (!known) return { unit, states, how: 'anew' };
  const moved = unit.sources.filter(({ id }) => before.get(id)?.state !== states.get(id));
  if (moved.length === 0) return { unit, states, how: 'keep' };
  const only = unit.sources.length === 1 ? unit.sources[0] : undefined;
  const one = only && before.get(only.id);
  const grown = one && (sizeOfState(states.get(one.id) ?? '') ?? 0) > (sizeOfState(one.state) ?? 0);
  if (grown) {
    const on = await growth(unit, one);
    if (on) return { unit, states, how: 'append', ...on };
  }
  for (const source of moved) {
    const sha = before.get(source.id)?.sha ?? null;
    if (sha === null || (await contentSha(source)) !== sha) return { unit, states, how: 'anew' };
  }
  return { unit, states, how: 'touched' };
}

/** What has changed since the last reading: each found unit, and the units that are gone. */
export interface Changes {
  units: readonly UnitChange[];
  gone: readonly string[];
}

/**
 * Compares what was found with what is known.
 * @param known sources as they were read last
 */
export async function changesSince(found: Found, known: readonly StoredSource[]): Promise<Changes> {
  const byUnit = new Map<string, StoredSource[]>();
  for (const source of known) {
    const unit = byUnit.get(source.unit);
    if (unit) unit.push(source);
    else byUnit.set(source.unit, [source]);
  }
  const units: UnitChange[] = [];
  for (const unit of found.units) {
    units.push(await changeOf(unit, byUnit.get(unit.key) ?? []));
    byUnit.delete(unit.key);
  }
  return { units, gone: [...byUnit.keys()] };
}
