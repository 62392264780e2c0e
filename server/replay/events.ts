import { z } from 'zod/v4';
import { BASES, UNITS } from '../../shared/cards.ts';
import { CARD_COMPONENTS, PROTOCOL, ROOT_COMPONENT } from '../../shared/catalog.ts';
import { LIMITS } from '../../shared/limits.ts';
import { ProjectId, type StreamEvent } from '../../shared/wire.ts';

/** Shapes of the events in a saved answer, closed: a key nobody sends is refused. */

/** A name an answer or a surface goes by in addresses. */
export const Name = z.string().regex(/^[\w-]{1,64}$/);
const Id = z.string().max(100);
export const Text = z.string().max(4_000);
const Count = z.int().min(0);
export const Ms = z.number().min(0).max(LIMITS.savedMs);
const Optional = z.boolean().optional();

const Figure = z.strictObject({
  value: z.number().nullable(),
  unit: z.enum(UNITS),
  basis: z.enum(BASES),
  evidence: z.string().max(128).nullable(),
  disputed: z.boolean(),
  n: z.number().nullable(),
  missing: Text.nullable(),
  atLeast: Text.optional(),
});

const Inline = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: Text, bold: Optional, italic: Optional, code: Optional }),
  z.strictObject({ kind: z.literal('figure'), figure: Figure }),
  z.strictObject({ kind: z.literal('label'), text: Text, evidence: z.string().max(128).nullable() }),
  z.strictObject({ kind: z.literal('cite'), id: Id }),
  z.strictObject({ kind: z.literal('feature'), id: Id, title: Text }),
  z.strictObject({ kind: z.literal('quote'), id: Id, text: Text }),
  z.strictObject({
    kind: z.literal('typed'),
    text: Text,
    state: z.enum(['unchecked', 'supported', 'unverified']),
  }),
]);

const Paragraph = z.strictObject({ kind: z.enum(['p', 'li', 'pre']), inlines: z.array(Inline).max(200) });

const Path = z.strictObject({ path: z.string().max(100) });
const Component = z.union([
  z.strictObject({ id: Id, component: z.enum(CARD_COMPONENTS), spec: Path }),
  z.strictObject({
    id: Id,
    component: z.literal(ROOT_COMPONENT),
    children: z.array(Id).max(LIMITS.components),
    layout: Path,
  }),
]);
const version = z.literal(PROTOCOL);

/** One A2UI message of the kinds Looplight sends; what it does to its surface is for the guard to check. */
export const Envelope = z.union([
  z.strictObject({ version, createSurface: z.strictObject({ surfaceId: Name, catalogId: Text }) }),
  z.strictObject({
    version,
    updateDataModel: z.strictObject({ surfaceId: Name, path: z.string().max(100), value: z.unknown() }),
  }),
  z.strictObject({
    version,
    updateComponents: z.strictObject({
      surfaceId: Name,
      components: z.array(Component).max(LIMITS.components),
    }),
  }),
]);

export const Verdict = z.strictObject({
  card: Id,
  state: z.enum(['verified', 'corrected', 'dropped', 'unverified']),
  reasons: z.array(Text).max(200),
});

const Reading = z.strictObject({ value: z.number().nullable(), unit: z.enum(UNITS) }).nullable();
const Since = z.strictObject({
  changed: z.boolean(),
  gone: z.boolean(),
  figures: z
    .array(z.strictObject({ card: Text, label: Text, was: Reading, now: Reading }))
    .max(LIMITS.sinceFigures),
  total: Count,
});

/** An event as it was sent; the mark of a replay is never part of a file. */
const Event = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('open'),
    data: z.strictObject({
      answerId: Name,
      surfaceId: Name,
      question: z.string().max(LIMITS.question).nullable(),
      planner: Text,
      stored: z.strictObject({ askedAt: Count, ageMs: Count }).nullable().optional(),
      title: Text.nullable(),
      projects: z
        .array(z.strictObject({ id: ProjectId, name: Text }))
        .max(LIMITS.projects)
        .optional(),
    }),
  }),
  z.strictObject({ event: z.literal('a2ui'), data: Envelope }),
  z.strictObject({
    event: z.literal('progress'),
    data: z.strictObject({
      step: z.enum(['premise', 'plan', 'cards', 'verify']),
      says: Text,
      done: z.boolean(),
      ms: z.number().min(0).nullable(),
      n: Count.nullable(),
      of: Count.nullable(),
    }),
  }),
  z.strictObject({
    event: z.literal('chat'),
    data: z.strictObject({ paragraphs: z.array(Paragraph).max(100), final: z.boolean() }),
  }),
  z.strictObject({
    event: z.literal('report'),
    data: z.strictObject({
      ok: z.boolean(),
      code: z.string().max(64).nullable(),
      cards: Count,
      figures: Count,
      rows: Count.default(0),
      sources: Count,
      record: z.string().max(64),
      ms: z.number().min(0),
      passes: Count,
      changed: Count,
      verdicts: z.array(Verdict).max(LIMITS.components),
      since: Since.nullable().optional(),
    }),
  }),
  z.strictObject({
    event: z.literal('suggestions'),
    data: z.strictObject({ items: z.array(z.string().max(LIMITS.question)).max(20) }),
  }),
  z.strictObject({
    event: z.literal('done'),
    data: z.strictObject({
      events: Count,
      cards: Count,
      ok: z.boolean(),
      code: z.string().max(64).nullable(),
      ms: z.number().min(0),
      took: z
        .strictObject({
          firstTextMs: z.number().min(0).nullable(),
          firstCardMs: z.number().min(0).nullable(),
          tokens: z.strictObject({ in: Count, out: Count }).nullable(),
        })
        .optional(),
    }),
  }),
]);

/** Whether a value is an event of an answer, with nothing in it beside. */
export const isEvent = (value: unknown): value is StreamEvent => Event.safeParse(value).success;
