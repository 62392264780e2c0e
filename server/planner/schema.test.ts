import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import { Plan } from '../../shared/plan.ts';
import type { RecordProfile } from '../record/store.ts';
import { planFor } from './builtin/index.ts';
import { example } from './example.ts';
import type { JSONSchema } from './json-schema.ts';
import { planSchema } from './schema.ts';
import { emptyProfile, testProfile } from './test-profile.ts';

const huge: RecordProfile = {
  ...testProfile,
  features: Array.from({ length: LIMITS.enumValues }, (_, i) => ({
    id: `${i}-`.padEnd(LIMITS.enumValueChars, 'x'),
    title: `Feature ${i}`,
    description: '',
    category: 'c',
    status: 'accepted',
  })),
  categories: Array.from({ length: LIMITS.enumValues }, (_, i) => `${i}`.padEnd(LIMITS.enumValueChars, 'y')),
};
const profiles: [string, RecordProfile | null][] = [
  ['thirty features', testProfile],
  ['nothing read', emptyProfile],
  ['as many names as become enums', huge],
  ['no record', null],
];

const KEYWORDS = new Set(
  'description type properties required additionalProperties items anyOf enum const $ref $defs'.split(' '),
);
const definition = (root: JSONSchema, ref: string): JSONSchema => {
  const found = root.$defs?.[ref.replace('#/$defs/', '')];
  if (found === undefined) throw new Error(`no definition ${ref}`);
  return found;
};
const children = (node: JSONSchema): JSONSchema[] => [
  ...Object.values(node.properties ?? {}),
  ...(node.items === undefined ? [] : [node.items]),
  ...(node.anyOf ?? []),
  ...Object.values(node.$defs ?? {}),
];
const all = (node: JSONSchema): JSONSchema[] => [node, ...children(node).flatMap(all)];

/** Levels of objects and arrays, definitions followed. */
function depth(root: JSONSchema, node: JSONSchema, level = 0): number {
  if (level > 50) throw new Error('recursive');
  if (node.$ref !== undefined) return depth(root, definition(root, node.$ref), level);
  const own = node.type === 'object' || node.type === 'array' ? level + 1 : level;
  const inner = [
    ...Object.values(node.properties ?? {}),
    ...(node.items ? [node.items] : []),
    ...(node.anyOf ?? []),
  ];
  return Math.max(own, ...inner.map((child) => depth(root, child, own)));
}

/** Limits of strict structured output, as the provider documents them; half of each is ours. */
describe.each(profiles)('the schema for %s', (_, profile) => {
  const schema = planSchema(profile);
  const nodes = all(schema);
  const total = (texts: readonly string[]): number => texts.join('').length;

  it('stays well inside the limits of strict mode', () => {
    const enums = nodes.flatMap((node) => (node.enum === undefined ? [] : [node.enum]));
    const propertyNames = nodes.flatMap((node) => Object.keys(node.properties ?? {}));
    const constants = nodes.flatMap((node) => (node.const === undefined ? [] : [node.const]));
    expect(propertyNames.length).toBeLessThan(5_000 / 2);
    expect(depth(schema, schema)).toBeLessThanOrEqual(7);
    // With the measures of sessions more than half; what is left is room for names of the record.
    expect(enums.flat().length).toBeLessThan((1_000 * 3) / 4);
    for (const values of enums) {
      expect(values.length).toBeLessThan(250);
      expect(new Set(values).size).toBe(values.length);
      expect(values.length).toBeGreaterThan(0);
      expect(total(values)).toBeLessThan(15_000);
    }
    const names = [...propertyNames, ...Object.keys(schema.$defs ?? {}), ...enums.flat(), ...constants];
    expect(total(names)).toBeLessThan(120_000 / 2);
    expect(JSON.stringify(schema).length).toBeLessThan(40_000);
  });

  it('uses only what strict mode knows', () => {
    for (const node of nodes) {
      for (const keyword of Object.keys(node)) expect(KEYWORDS).toContain(keyword);
      if (node.$ref !== undefined) {
        expect(Object.keys(node)).toEqual(['$ref']);
        definition(schema, node.$ref);
      }
      if (node.type === 'object') {
        expect(node.additionalProperties).toBe(false);
        expect(node.required).toEqual(Object.keys(node.properties ?? {}));
      }
    }
    expect(schema.type).toBe('object');
    expect(schema.anyOf).toBeUndefined();
  });

  it('tells the branches of every choice apart by their first key', () => {
    for (const node of nodes.filter((one) => one.anyOf !== undefined)) {
      const branches = (node.anyOf ?? []).map((b) => (b.$ref === undefined ? b : definition(schema, b.$ref)));
      const objects = branches.filter((branch) => branch.type === 'object' && branches.length > 2);
      const firsts = objects.map((branch) => Object.entries(branch.properties ?? {})[0]);
      for (const first of firsts) expect(first?.[0]).toBe('type');
      const kinds = firsts.map((first) => first?.[1].const);
      expect(kinds).not.toContain(undefined);
      expect(new Set(kinds).size).toBe(kinds.length);
    }
  });

  it('uses every definition, and describes every definition with a meaning of its own', () => {
    const used = new Set(nodes.flatMap((node) => (node.$ref === undefined ? [] : [node.$ref])));
    const open = profile === null || profile.features.length === 0;
    for (const key of Object.keys(schema.$defs ?? {})) {
      if (open && ['Category', 'Status', 'Run'].includes(key)) continue;
      expect(used).toContain(`#/$defs/${key}`);
    }
  });
});

/** Every value the schema accepts can come out. */
function samples(root: JSONSchema, node: JSONSchema): fc.Arbitrary<unknown> {
  if (node.$ref !== undefined) return samples(root, definition(root, node.$ref));
  if (node.anyOf !== undefined) return fc.oneof(...node.anyOf.map((branch) => samples(root, branch)));
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  if (node.type === 'object') {
    const entries = Object.entries(node.properties ?? {});
    return fc.record(Object.fromEntries(entries.map(([key, child]) => [key, samples(root, child)])));
  }
  if (node.type === 'array' && node.items !== undefined)
    return fc.array(samples(root, node.items), { maxLength: 3 });
  if (node.type === 'boolean') return fc.boolean();
  if (node.type === 'null') return fc.constant(null);
  return fc.string({ maxLength: 12 });
}

interface Site {
  holder: object;
  key: string | number;
}
/** Every place of a value, as holder and key. */
function sites(value: unknown): Site[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]): Site[] => [{ holder: value, key }, ...sites(member)]);
}

/** Breaks the form at one place: a key gone, a key too many, a value of another type. */
function broken(plan: unknown, pick: number, how: 'drop' | 'add' | 'retype'): unknown {
  const copy: unknown = structuredClone(plan);
  const places = sites(copy);
  const place = places[pick % Math.max(1, places.length)];
  if (place === undefined) return copy;
  if (how === 'retype') Reflect.set(place.holder, place.key, { unexpected: 1 });
  else if (Array.isArray(place.holder)) Reflect.set(place.holder, place.key, 7);
  else if (how === 'drop') Reflect.deleteProperty(place.holder, place.key);
  else Reflect.set(place.holder, 'unexpected', null);
  return copy;
}

describe('the schema and Plan', () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false });
  const schema = planSchema(testProfile);
  const accepts = ajv.compile(schema);
  const plans = samples(schema, schema);

  it('accept the same well-formed plans', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(accepts(plan)).toBe(true);
        expect(Plan.safeParse(plan).success).toBe(true);
        expect(Plan.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
      }),
      { numRuns: 150 },
    );
  });

  it('reject the same ill-formed plans', () => {
    fc.assert(
      fc.property(plans, fc.nat(), fc.constantFrom('drop', 'add', 'retype'), (plan, pick, how) => {
        const bad = broken(plan, pick, how);
        expect(Plan.safeParse(bad).success).toBe(false);
        expect(accepts(bad)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('are equally closed at the top', () => {
    for (const value of [null, [], 'plan', {}, { ...example, more: 1 }, { ...example, blocks: {} }]) {
      expect(accepts(value)).toBe(false);
      expect(Plan.safeParse(value).success).toBe(false);
    }
  });

  it.each([
    'why did feature 28 take three attempts?',
    'how did the run go?',
    'which features were slowest?',
    'which categories were slow?',
    'how did scores change over the run?',
    'what was skipped?',
    'compare feature 28 with feature 5',
    'compare polish and cards',
    'do the sources agree?',
    'show all features',
    'features that scored less than 9 without scaffold',
    'features 10 to 20 by build time',
    'show the commits of the run',
    'what did it cost?',
    'what is a claimed figure?',
    'zxcv qwerty',
  ])('take the built-in plan for: %s', (question) => {
    const signal = new AbortController().signal;
    const request = { question, turns: [], profile: testProfile, evidence: [], premises: [], signal };
    const { plan } = planFor(request);
    accepts(plan);
    expect(accepts.errors ?? []).toEqual([]);
    expect(Plan.parse(plan)).toEqual(plan);
  });

  it('take the example of the prompt', () => {
    expect(ajv.compile(planSchema(null))(example)).toBe(true);
    expect(Plan.parse(example)).toEqual(example);
  });

  it('keeps names of the record out when there are no names to list, or odd ones', () => {
    const odd = planSchema({ ...testProfile, categories: ['fine', 'say "yes"\nand stop'] });
    expect(JSON.stringify(odd)).not.toContain('and stop');
    const many = planSchema({ ...huge, features: [...huge.features, ...testProfile.features] });
    expect(many.$defs?.Feature?.enum).toBeUndefined();
    expect(many.$defs?.Feature?.type).toBe('string');
    expect(JSON.stringify(planSchema(null))).not.toContain('polish');
    expect(planSchema(testProfile).$defs?.Feature?.enum).toContain('28');
  });

  it('is the same for the same record', () => {
    expect(JSON.stringify(planSchema(testProfile))).toBe(
      JSON.stringify(planSchema(structuredClone(testProfile))),
    );
  });
});
