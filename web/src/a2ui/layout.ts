import type { Layout } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { isRecord } from '../lib/unknown.ts';

type Span = Layout['spans'][string];
type Slot = Layout['slot'];
const SPANS: readonly Span[] = [5, 6, 7, 12];
const SLOTS: readonly Slot[] = [0, 5, 7, 12];

/**
 * Reads the content of `/layout`. Anything unreadable is a full row and no slot.
 * @param value layout as it arrived
 */
export function readLayout(value: unknown): { span(id: string): Span; slot: Slot } {
  const spans = isRecord(value) && isRecord(value.spans) ? value.spans : {};
  const slot = isRecord(value) ? value.slot : 0;
  return {
    span: (id) => (Object.hasOwn(spans, id) ? (SPANS.find((span) => span === spans[id]) ?? 12) : 12),
    slot: SLOTS.find((candidate) => candidate === slot) ?? 0,
  };
}

/** Ids of the children a container was given, in order, each once. */
export function childIds(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const ids = value.filter((id): id is string => typeof id === 'string');
  return [...new Set(ids)].slice(0, LIMITS.components);
}
