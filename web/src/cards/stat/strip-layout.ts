import type { StatFigure } from '../../../../shared/cards.ts';
import { formatFigure } from '../format.ts';

type Strip = NonNullable<StatFigure['strip']>;

export interface StripLayout {
  /** Places in per cent of the width. */
  ticks: number[];
  at: number;
  /** What the value at `at` is: "median"; null where the label of the figure says no word for it. */
  atLabel: string | null;
  /** `end`: its words would leave the drawing at the right, so they end with it. */
  subject: { x: number; label: string; end: boolean } | null;
  /** The words under the two marks would run into each other: the one of the median gives way. */
  close: boolean;
  says: string;
}

/** Room left at both ends, in per cent. */
const EDGE = 8;
/** Distance below which two words under the line do not fit beside each other, in per cent. */
const WORDS = 26;
const AGGREGATE = /^(median|mean|longest|shortest|lowest|highest)\b/i;

/** Place, in per cent, from which words longer than a number do not fit centred. */
const NEAR_END = 70;
const NUMBER = 3;
const subjectAt = (x: number, label: string): NonNullable<StripLayout['subject']> => ({
  x,
  label,
  end: label.length > NUMBER && x > NEAR_END,
});

/**
 * Where the values of a strip lie on its line.
 * @param label what the one value is called ("Median build time")
 */
export function layoutStrip(strip: Strip, label: string): StripLayout {
  const all = [...strip.values, strip.at, ...(strip.subject === null ? [] : [strip.subject.value])];
  const low = Math.min(...all);
  const high = Math.max(...all);
  const reach = high - low;
  // Values that are all the same stand in the middle; so do those whose distance is not a number.
  const place = (value: number): number =>
    reach > 0 && Number.isFinite(reach) ? EDGE + ((value - low) / reach) * (100 - 2 * EDGE) : 50;
  const text = (value: number) => formatFigure({ value, unit: strip.unit });
  const at = place(strip.at);
  const subject = strip.subject === null ? null : subjectAt(place(strip.subject.value), strip.subject.label);
  const beside = strip.subject === null ? '' : `; ${strip.subject.label} at ${text(strip.subject.value)}`;
  return {
    ticks: strip.values.map(place),
    at,
    atLabel: AGGREGATE.exec(label)?.[1]?.toLowerCase() ?? null,
    subject,
    close: subject !== null && Math.abs(subject.x - at) < WORDS,
    says: `${strip.values.length} values from ${text(low)} to ${text(high)}. ${label} at ${text(strip.at)}${beside}.`,
  };
}
