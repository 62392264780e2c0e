import { z } from 'zod/v4';
import { LIMITS } from '../../shared/limits.ts';
import type { Trace } from '../../shared/wire.ts';
import { Ms, Name, Text, Verdict } from './events.ts';

const most = LIMITS.traceEntries;
const Texts = z.array(Text).max(most);
const Short = z.string().max(200);
const When = Ms.nullable();

/** The way of an answer as a file holds it. */
export const TraceShape: z.ZodType<Trace> = z.strictObject({
  version: z.literal(1),
  answerId: Name,
  question: z
    .string()
    .max(LIMITS.question + 100)
    .nullable(),
  planner: z.strictObject({ kind: z.enum(['builtin', 'model']), name: Text, model: Text.nullable() }),
  startedAt: z.iso.datetime(),
  ended: z.boolean(),
  plan: z.strictObject({
    text: z.string().max(LIMITS.planBytes * 2),
    pieces: z.array(z.strictObject({ ms: Ms, chars: z.int().min(0) })).max(LIMITS.tracePieces),
    endMs: When,
    code: Short.nullable(),
  }),
  premises: z
    .array(z.strictObject({ feature: Text.nullable(), measure: Short, claimed: Text, verdict: Short }))
    .max(most),
  evidence: z.array(z.strictObject({ id: Short, place: Text })).max(most),
  scan: z
    .array(
      z.strictObject({
        ms: Ms,
        kind: z.enum(['section', 'draft', 'block', 'problem']),
        index: z.int().nullable(),
        what: Text,
      }),
    )
    .max(LIMITS.traceScans),
  preamble: z.strictObject({ notes: Texts, code: Short.nullable(), issues: Texts }),
  cards: z
    .array(
      z.strictObject({
        card: Short,
        type: Text.nullable(),
        title: Text.nullable(),
        draftMs: When,
        readMs: When,
        readyMs: When,
        resolveMs: When,
        notes: Texts,
        code: Short.nullable(),
        issues: Texts,
      }),
    )
    .max(LIMITS.traceCards),
  steps: z.array(z.strictObject({ step: Short, from: Ms, to: When, says: Text })).max(most),
  verdicts: z.array(Verdict).max(LIMITS.traceCards),
  frames: z
    .array(
      z.strictObject({
        id: z.int().min(1),
        event: z.enum(['open', 'a2ui', 'progress', 'chat', 'report', 'suggestions', 'done']),
        about: Text,
        bytes: z.int().min(0),
        ms: Ms,
      }),
    )
    .max(LIMITS.eventsKept),
});
