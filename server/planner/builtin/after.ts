import type { RecordProfile } from '../../record/store.ts';

/** Whether a question is about commits after the run: what came after it, or when something got into the published file. */
export function asksAfter(question: string, profile: RecordProfile): boolean {
  const text = question.toLowerCase();
  const label = profile.sources.find(({ kind }) => kind === 'metrics')?.label.toLowerCase() ?? 'metrics.json';
  return text.includes(label) || text.includes('metrics json') || /\bafter\b/.test(text);
}
