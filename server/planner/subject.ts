import type { Turn } from '../answer/types.ts';
import type { RecordProfile } from '../record/store.ts';
import { understand } from './builtin/conversation.ts';
import { matchFeatures, SURE } from './entities.ts';

/**
 * Features a question is about only because of the turns before it ("what about lines?"); none for a question that
 * names its own or stands alone. The planner and the check of its plan collect evidence about the same.
 */
export function carriedSubject(question: string, turns: readonly Turn[], profile: RecordProfile): string[] {
  if (turns.length === 0) return [];
  if (matchFeatures(question, profile).some(({ score }) => score >= SURE)) return [];
  return understand(question, turns, profile).reading.features;
}
