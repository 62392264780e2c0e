import { clockText } from '../ingest/time.ts';
import { KINDS, kindOf } from '../source-kinds.ts';

/** Facts whose unit is a word that is said once in a sentence; all others carry their unit each time. */
const COUNTED: Readonly<Record<string, readonly [one: string, many: string]>> = {
  attempts: ['attempt', 'attempts'],
  lines_added: ['line', 'lines'],
  lines_removed: ['line', 'lines'],
  files_changed: ['file', 'files'],
  tokens: ['token', 'tokens'],
  tokens_coder: ['coder token', 'coder tokens'],
  tokens_evaluator: ['evaluator token', 'evaluator tokens'],
  gate_failures: ['failure', 'failures'],
  iterations: ['iteration', 'iterations'],
  iterations_without_progress: ['iteration without progress', 'iterations without progress'],
  requirements_designed: ['requirement', 'requirements'],
  requirements_proven: ['requirement', 'requirements'],
  requirements_total: ['requirement', 'requirements'],
};

export const numberText = (value: number): string =>
  new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 }).format(value);

/**
 * A value of a fact in words. `again` leaves out a unit that the sentence has already said.
 * @param zone offset in which a time is written
 */
export function factText(
  fact: string,
  value: number | null,
  text: string | null,
  zone: string,
  again = false,
): string {
  if (value === null) return text ?? 'nothing';
  const unit = Object.hasOwn(COUNTED, fact) ? COUNTED[fact] : undefined;
  if (unit) return again ? numberText(value) : `${numberText(value)} ${value === 1 ? unit[0] : unit[1]}`;
  if (fact === 'build_time' || fact === 'elapsed') return `${numberText(value)} s`;
  if (fact === 'score') return `${numberText(value)}/10`;
  if (fact === 'cost_usd') return `$${numberText(value)}`;
  if (fact.endsWith('_percent')) return `${numberText(value)} %`;
  if (fact === 'completed_at' || fact === 'started_at') return clockText(value, zone);
  return numberText(value);
}

/** "a", "a and b", "a, b and c". */
export function listText(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

export const sentenceCase = (text: string): string => (text.startsWith('the ') ? `T${text.slice(1)}` : text);

/** What a sentence calls a source. Git's times come from the commits around a feature, everything else from its own commit. */
export function sourceText(
  source: { kind: string; label: string },
  fact: string,
  aboutRun: boolean,
): { text: string; plural: boolean } {
  const kind = kindOf(source.kind);
  if (kind === null) return { text: source.label, plural: false };
  // A label with a folder in it tells one of several files of its kind.
  if (kind !== 'git')
    return { text: source.label.includes('/') ? source.label : KINDS[kind].words, plural: false };
  if (aboutRun) return { text: 'the git log', plural: false };
  return fact === 'build_time' || fact === 'completed_at'
    ? { text: 'the commit times', plural: true }
    : { text: 'the commit', plural: false };
}
