/** Artifacts of a small run, written for the tests: a clock that learns to chime. */
export const TASK = `# Task

Let the clock chime every hour. Nobody wants it at night.

Acceptance criteria:
- AC-1: it chimes once an hour
- It is silent from 22 to 6

Tier: L
Mode: A (each stage in its own context)
Reasoning: a timer, a sound and a setting
`;
export const ANALYSIS = `# Analysis

## Found
- src/clock.ts keeps the time

## Exemplars
- src/dial.ts

## Missing
- a timer that knows the hour

## Reuse plan
The timer listens to src/clock.ts.
`;
export const PLAN = `# Plan

## Decisions & rationale
- One timer for the whole clock; a timer for each dial was rejected.

## Files to change
- \`src/chime.ts\`: new
- src/settings.ts: quiet hours

## Steps
1. Write src/chime.ts.
2. Read the quiet hours
   from the settings.

## Out of scope
Melodies.

## Runnable check

\`\`\`sh
npm test -- chime
\`\`\`

Manual checks: listen to it at noon.
`;
export const IMPLEMENTATION = `# Implementation

## What changed
- src/chime.ts: timer
- src/settings.ts: quiet hours

## Deviations from plan
none

## Evidence
\`\`\`
$ npm test -- chime
 Tests  1 failed | 3 passed (4)
\`\`\`

## Debug iteration 1
- Root cause: the hour was read before the clock had started.
- Fix: wait for the first tick
  of src/clock.ts.
- Evidence: 4 passed (4)
`;
export const REPORT = `# Test report

## Verdict
PASS

## Findings

## Not verified
- listen to it at noon

## Evidence
\`\`\`
$ npm test -- chime
 Test Files  1 passed (1)
      Tests  4 passed (4)
\`\`\`
`;
export const PROFILE_TEXT = `# Project profile

## Commands
- **Test:** \`npm test\`
- **Build:** \`<command>\`

## Stack
TypeScript, Node.

## Exemplars
- dial: src/dial.ts

## Conventions & gotchas
- Hours count from 0.
`;

export const FOLDER = '2026-05-04-chime';

/** Files of one run folder with the profile; artifacts given as null are left out, as text stand in place of the usual ones. */
export function runFiles(
  changed: Readonly<Record<string, string | null>> = {},
  folder = FOLDER,
): Record<string, string> {
  const all: Record<string, string | null> = {
    'task.md': TASK,
    'analysis.md': ANALYSIS,
    'plan.md': PLAN,
    'implementation.md': IMPLEMENTATION,
    'test-report.md': REPORT,
    ...changed,
  };
  const files: Record<string, string> = { '.agent-loop/profile.md': PROFILE_TEXT };
  for (const [name, text] of Object.entries(all))
    if (text !== null) files[`.agent-loop/runs/${folder}/${name}`] = text;
  return files;
}
