/**
 * Messages of the activity log, one pattern a shape, as the harness's code writes them. The first that matches counts.
 * All are anchored at both ends and hold at most two open parts, so that matching stays linear in the message.
 */
const ATTEMPT = String.raw`\(attempt (?<n>\d{1,6})\/(?<cap>\d{1,6})\)`;
const failing = (before: string, after: string): RegExp => new RegExp(`^${before} ${ATTEMPT}${after}$`);

const SHAPES = {
  test_start: /^running scripted test: (?<tests>[\s\S]+)\.$/,
  no_test: /^no scripted test file — skipping to defect sweep\.$/,
  test_pass: /^scripted test PASSED\. summary: (?<summary>[\s\S]*)$/,
  test_fail: failing(
    'scripted test FAILED',
    String.raw`\. summary: (?<summary>[\s\S]*?)\. reason: (?<reason>[\s\S]*)`,
  ),
  sweep_start: /^running general defect sweep against PRD section "(?<section>[^"]*)"\.$/,
  sweep_fail: failing('sweep FOUND ISSUE', String.raw`: (?<summary>[\s\S]*)`),
  sweep_pass: /^sweep found no issues\. -> KANE_VERIFIED\.$/,
  no_sweep: /^-> KANE_VERIFIED \(no sweep configured\)\.$/,
  secret_fail: failing('SECRET SCAN FAILED', String.raw`: (?<detail>[\s\S]*)`),
  evidence_fail: failing('AC EVIDENCE CHECK FAILED', String.raw`: (?<detail>[\s\S]*)`),
  check_error:
    /^(?<check>SECRET SCAN|TAMPERING CHECK|BUG-MEMORY SAVE|KNOWLEDGE-MEMORY SAVE) ERROR(?<detail>[\s\S]*)$/,
  tampering: /^TEST TAMPERING DETECTED — (?<detail>[\s\S]*?) -> BLOCKED_NEEDS_HUMAN\.$/,
  blocked:
    /^-> BLOCKED_NEEDS_HUMAN after (?<n>\d{1,6}) (?:(?<check>sweep|secret-scan|AC-evidence) )?failures\.$/,
  infra:
    /^Kane run hit an? (?<what>timeout|infra\/auth error) \(exit (?<exit>-?\d{1,6}|null)\) — state unchanged\.$/,
  stale: /^STALE — stuck in KANE_VERIFYING >5min\. Reset to IN_PROGRESS\.$/,
  manual_wait: /^manual verification mode — awaiting manual_confirmed: true\.$/,
  manual_ok: /^manual_confirmed: true received -> KANE_VERIFIED\.$/,
  server_down: /^dev server not responding — cannot verify\.$/,
  next: /^next task: T-(?<task>\S+) \((?<title>.*)\)\.$/,
  all_done: /^all tasks KANE_VERIFIED\. Build complete\.$/,
  regression:
    /^MEMORY: possible regression — resembles a bug previously seen on T-(?<task>\S+) \("(?<title>.*)", similarity (?<similarity>[\d.]+)\)\.$/,
  no_url: /^app URL not configured — (?<detail>[\s\S]*)$/,
  graph_fail: /^auto-refresh failed: (?<detail>[\s\S]*)$/,
} as const satisfies Record<string, RegExp>;

export type Shape = keyof typeof SHAPES;

/** A message, classified; its parts by name. */
export interface Said {
  shape: Shape;
  parts: Readonly<Record<string, string | undefined>>;
}

const NAMES: readonly Shape[] = Object.keys(SHAPES).filter((name): name is Shape => name in SHAPES);

/** The shape of a message and its parts; null when it has none of the known ones. */
export function classify(message: string): Said | null {
  for (const shape of NAMES) {
    const match = SHAPES[shape].exec(message);
    if (match) return { shape, parts: { ...match.groups } };
  }
  return null;
}

const HEAD =
  /^\[(?<at>\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]{0,16} ?(?:Z|[+-]\d\d(?::?\d\d)?)?)\] \[(?<who>[^\]]{1,200})\] (?<message>[\s\S]*)$/;

/** Time, name and beginning of the message of a line that starts an entry; null for a line that carries one on. */
export function headOf(line: string): { at: string; who: string; message: string } | null {
  const groups = HEAD.exec(line)?.groups;
  if (groups?.at === undefined || groups.who === undefined) return null;
  return { at: groups.at, who: groups.who, message: groups.message ?? '' };
}

/** "testrun batch: 2/3 passed". */
export function batchOf(summary: string): { passed: number; run: number } | null {
  const match = /^testrun batch: (\d{1,6})\/(\d{1,6}) passed$/.exec(summary.trim());
  return match ? { passed: Number(match[1]), run: Number(match[2]) } : null;
}

/** What stands where a run of the verifier left no summary: it never wrote its end. */
export const NO_SUMMARY = '(no summary)';

/** Test files a start names: written as a JSON text or list; anything else is taken as one name. */
export function testsOf(written: string): string[] {
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'string') return [value];
    if (Array.isArray(value)) return value.filter((item): item is string => typeof item === 'string');
  } catch {
    // Not JSON: older versions write the bare path.
  }
  return [written];
}
