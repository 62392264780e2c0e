import { z } from 'zod/v4';

/**
 * What events of agent-loop carry beside their words, as JSON text in `log_events.data`. Written by the adapter and read by
 * the audit, which holds it against the contract.
 */
export const ArtifactData = z.object({
  artifact: z.string(),
  sections: z.array(z.object({ name: z.string(), key: z.string(), line: z.number(), filled: z.boolean() })),
});
export type ArtifactData = z.infer<typeof ArtifactData>;

/** A plan's runnable check; `command` null when it names none. */
export const CheckData = z.object({ command: z.string().nullable(), instead: z.string().nullable() });
export type CheckData = z.infer<typeof CheckData>;

export const VerdictData = z.object({
  exact: z.enum(['PASS', 'FAIL']).nullable(),
  text: z.string(),
  /** The plan's command; null when there is none to look for. */
  check: z.string().nullable(),
  /** Whether the evidence shows it was run. */
  checkShown: z.boolean(),
  commands: z.number(),
  findings: z.number(),
  passed: z.number().nullable(),
  failed: z.number().nullable(),
  exitCode: z.number().nullable(),
  evidenceLine: z.number().nullable(),
  outputLine: z.number().nullable(),
  secondHand: z.object({ value: z.string(), line: z.number() }).nullable(),
});
export type VerdictData = z.infer<typeof VerdictData>;

export const IterationData = z.object({
  n: z.number(),
  rootCause: z.string().nullable(),
  fix: z.string().nullable(),
  evidence: z.string().nullable(),
});
export type IterationData = z.infer<typeof IterationData>;

/** `data` of an event as one of these; null when it is none, as when another adapter wrote it. */
export function eventData<T>(shape: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    const read = shape.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
