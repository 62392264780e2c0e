import { z } from 'zod/v4';

const Versioned = z.object({ version: z.int().nonnegative().default(0) });

/**
 * Brings a value from a file up to the version that is written today, one step a version.
 * @param steps `steps[n]` makes version n + 1 out of version n; today's version is their number
 * @returns throws when the value has no version it can be brought up from; one from the future is returned as it is, for
 *   the reader of today's version to refuse
 */
export const migration =
  (steps: readonly ((value: unknown) => unknown)[]) =>
  (value: unknown): unknown => {
    let now = value;
    for (let version = Versioned.parse(value).version; version < steps.length; version += 1)
      now = steps[version]?.(now);
    return now;
  };
