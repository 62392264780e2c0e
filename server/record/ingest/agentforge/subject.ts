/**
 * What a commit subject of AgentForge says: `feat(#ID): <title> (score: S/10, N attempts)` accepts a feature,
 * `skip(#ID): best score S/10 after N attempts` gives one up. Anything else says nothing about a feature.
 */
export type Subject =
  | { kind: 'accept' | 'skip'; feature: string; title: string | null; score: number; attempts: number }
  | { kind: 'other' };

const ACCEPT = /^feat\(#(\d{1,9})\): (.*) \(score: (\d{1,3}(?:\.\d{1,6})?)\/10, (\d{1,6}) attempts?\)$/;
const SKIP = /^skip\(#(\d{1,9})\): best score (\d{1,3}(?:\.\d{1,6})?)\/10 after (\d{1,6}) attempts?$/;

/** Reads one subject line, already bounded in length. */
export function readSubject(subject: string): Subject {
  const accept = ACCEPT.exec(subject);
  if (accept?.[1] !== undefined) {
    return {
      kind: 'accept',
      feature: accept[1],
      title: accept[2]?.trim() || null,
      score: Number(accept[3]),
      attempts: Number(accept[4]),
    };
  }
  const skip = SKIP.exec(subject);
  if (skip?.[1] !== undefined) {
    return { kind: 'skip', feature: skip[1], title: null, score: Number(skip[2]), attempts: Number(skip[3]) };
  }
  return { kind: 'other' };
}

/** Commits that begin a run anew: everything before them belongs to earlier runs. */
export const startsRun = (subject: string): boolean => /^clean slate\b|\breset all features\b/i.test(subject);
