import type { StatCard, StatFigure } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { fields, isRecord, list, number } from '../../lib/unknown.ts';
import { base, clip, figure, inlines, short, unitOf } from '../read.ts';

/** Most ticks of one strip: more than that lie on top of each other on any screen. */
const STRIP = 500;

function strip(value: unknown): StatFigure['strip'] {
  if (!isRecord(value)) return null;
  const values = list(value.values, number, STRIP);
  const at = number(value.at);
  if (values.length < 2 || at === null) return null;
  const subject = fields(value.subject);
  const subjectValue = number(subject.value);
  return {
    values,
    at,
    subject: subjectValue === null ? null : { value: subjectValue, label: short(subject.label) },
    unit: unitOf(value.unit),
  };
}

function compare(value: unknown): StatFigure['compare'] {
  if (!isRecord(value)) return null;
  return { figure: figure(value.figure), label: short(value.label) };
}

const statFigure = (value: unknown): StatFigure | null =>
  isRecord(value)
    ? {
        label: clip(value.label, LIMITS.title),
        figure: figure(value.figure),
        compare: compare(value.compare),
        caption: inlines(value.caption),
        strip: strip(value.strip),
      }
    : null;

/** Reads a card of figures from anything. */
export const readStat = (value: unknown): StatCard => ({
  ...base(value),
  type: 'stat',
  figures: list(fields(value).figures, statFigure, LIMITS.statFigures),
});
