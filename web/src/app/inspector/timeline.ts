import type { Trace, TraceCard } from '../../../../shared/wire.ts';
import { duration } from '../../lib/words.ts';

/** One bar of the timeline; `waiting` is the time in which a card is still being written, `work` everything done here. */
export interface Bar {
  from: number;
  to: number;
  kind: 'plan' | 'waiting' | 'work' | 'check';
}

export interface TimelineRow {
  key: string;
  label: string;
  bars: Bar[];
  /** What happened at one moment: text that arrived, a card left out, the end. */
  dots: { at: number; kind: 'text' | 'left-out' | 'end' }[];
  from: number;
  to: number;
  /** The same in words, for the table. */
  says: string;
}

export interface Timeline {
  rows: TimelineRow[];
  /** Length of the axis in milliseconds. */
  total: number;
}

/** Characters of a title that fit on a phone beside its time. */
const LABEL = 42;

const shortened = (title: string): string =>
  title.length > LABEL ? `${title.slice(0, LABEL - 1).trimEnd()}…` : title;

/** Marks of arriving text that are drawn; more would be one smear. */
const MARKS = 60;

function cardRow(card: TraceCard): TimelineRow | null {
  const first = card.draftMs ?? card.readMs ?? card.readyMs;
  if (first === null) return null;
  const read = Math.max(first, card.readMs ?? first);
  const ready = card.readyMs === null ? null : Math.max(read, card.readyMs);
  const to = ready ?? read;
  const bars: Bar[] = [];
  if (read > first) bars.push({ from: first, to: read, kind: 'waiting' });
  if (ready !== null) bars.push({ from: read, to: ready, kind: 'work' });
  const says =
    ready === null
      ? 'left out'
      : card.draftMs === null
        ? `ready after ${duration(to - first)}`
        : `draft to ready in ${duration(to - first)}`;
  return {
    key: card.card,
    label: shortened(card.title || card.card),
    bars,
    dots: ready === null ? [{ at: to, kind: 'left-out' }] : [],
    from: first,
    to,
    says,
  };
}

/** The moments of an answer on one time axis: premise check, plan, every card, the second check, the end. Pure. */
export function timelineOf(trace: Trace): Timeline {
  const end = trace.frames.at(-1);
  const last = Math.max(1, end?.ms ?? 0, ...trace.steps.map((step) => step.to ?? step.from));
  const rows: TimelineRow[] = [];
  const stepRow = (name: string, label: string, kind: Bar['kind']): void => {
    const step = trace.steps.find((one) => one.step === name);
    if (step === undefined) return;
    const to = Math.max(step.from, step.to ?? (name === 'plan' ? trace.plan.endMs : null) ?? last);
    const { pieces } = trace.plan;
    const every = Math.ceil(pieces.length / MARKS);
    const dots =
      name === 'plan'
        ? pieces
            .filter((_, index) => index % every === 0)
            .map(({ ms }) => ({ at: ms, kind: 'text' as const }))
        : [];
    rows.push({
      key: `step-${name}`,
      label,
      bars: [{ from: step.from, to, kind }],
      dots,
      from: step.from,
      to,
      says: step.says,
    });
  };
  stepRow('premise', 'Premise check', 'check');
  stepRow('plan', 'Plan', 'plan');
  const cards = trace.cards.map(cardRow).filter((row) => row !== null);
  rows.push(...cards.sort((a, b) => a.from - b.from || a.to - b.to));
  stepRow('verify', 'Second check', 'check');
  if (end?.event === 'done')
    rows.push({
      key: 'done',
      label: 'Done',
      bars: [],
      dots: [{ at: end.ms, kind: 'end' }],
      from: end.ms,
      to: end.ms,
      says: 'the last event',
    });
  return { rows, total: Math.max(last, ...rows.map(({ to }) => to)) };
}
