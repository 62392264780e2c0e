import { z } from 'zod/v4';
import { LIMITS } from '../../../../shared/limits.ts';

/**
 * One record of telemetry as Looplight keeps it: a line of JSON a log record, span or metric point, in files of its own data folder.
 * Times are UTC epoch milliseconds, null where none (or zero) was sent. Values of attributes are kept as they were sent, lists and
 * maps as JSON text.
 */
const Value = z.union([z.string().max(LIMITS.sourceText + 1), z.number(), z.boolean(), z.null()]);
const Text = z.string().max(LIMITS.sourceText + 1);
const Ms = z.number().int().nullable();

/** How it was decided which project a record belongs to. */
export const PLACED = ['session', 'named', 'first'] as const;
export type Placed = (typeof PLACED)[number];

const COMMON = {
  v: z.literal(1),
  /** When it was received. */
  at: z.number().int(),
  placed: z.enum(PLACED),
  name: Text,
  /** Of the instrumentation. */
  scope: Text.optional(),
  service: Text.optional(),
  version: Text.optional(),
  trace: z.string().max(64).optional(),
  span: z.string().max(64).optional(),
  attrs: z.record(z.string().max(LIMITS.otlpKey), Value),
};

export const KeptLog = z.object({
  ...COMMON,
  what: z.literal('log'),
  time: Ms,
  severity: z.number().int().optional(),
  body: Text.optional(),
});
export const KeptSpan = z.object({
  ...COMMON,
  what: z.literal('span'),
  parent: z.string().max(64).optional(),
  start: Ms,
  end: Ms,
  /** 1 well, 2 with an error. */
  status: z.number().int().optional(),
  says: Text.optional(),
});
export const KeptPoint = z.object({
  ...COMMON,
  what: z.literal('point'),
  start: Ms,
  time: Ms,
  unit: Text.optional(),
  temporality: z.enum(['delta', 'cumulative', 'gauge']).nullable(),
  /** Of a histogram the sum; null for what is no number. */
  value: z.number().nullable(),
  count: z.number().optional(),
});
export const Kept = z.discriminatedUnion('what', [KeptLog, KeptSpan, KeptPoint]);

export type KeptLog = z.infer<typeof KeptLog>;
export type KeptSpan = z.infer<typeof KeptSpan>;
export type KeptPoint = z.infer<typeof KeptPoint>;
export type Kept = z.infer<typeof Kept>;
export type KeptAttributes = Kept['attrs'];
