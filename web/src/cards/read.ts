import {
  BASES,
  type Button,
  type CardBase,
  type Cite,
  type Control,
  type Figure,
  type Inline,
  type Mark,
  UNITS,
  type Unit,
} from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { readFigure, readParagraphs } from '../lib/figures.ts';
import { fields, isRecord, list, number, oneOf, text } from '../lib/unknown.ts';

/** Readers shared by all cards: anything in, bounded values out, never throwing. */

/** Most query ids kept of one card. */
const EVIDENCE = 400;
const SHORT = 120;

/** A string of at most so many characters, cut between characters and with an ellipsis; anything else is empty. */
export function clip(value: unknown, most: number): string {
  const whole = text(value) ?? '';
  if (whole.length <= most) return whole;
  const cut = whole.slice(0, most - 1);
  const last = cut.charCodeAt(cut.length - 1);
  return `${last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut}…`;
}

/** A string that says something, or null. */
export const words = (value: unknown, most: number): string | null => {
  const clipped = clip(value, most).trim();
  return clipped === '' ? null : clipped;
};

export const short = (value: unknown): string => clip(value, SHORT);

export const unitOf = (value: unknown): Unit => oneOf(value, UNITS, 'none');

export function figure(value: unknown): Figure {
  const read = readFigure(value);
  return { ...read, missing: read.missing === null ? null : clip(read.missing, SHORT) };
}

/** Figures of a list, at most so many. */
export const figures = (value: unknown, most: number): Figure[] =>
  list(value, (item) => (isRecord(item) ? figure(item) : null), most);

export const inlines = (value: unknown): Inline[] =>
  readParagraphs([{ kind: 'p', inlines: value }])[0]?.inlines ?? [];

export function cite(value: unknown): Cite {
  const from = fields(value);
  const line = number(from.line);
  return {
    source: short(from.source),
    label: short(from.label),
    line: line !== null && line >= 1 ? Math.trunc(line) : null,
    basis: oneOf(from.basis, BASES, 'unknown'),
  };
}

const STATES = [
  'verified',
  'corrected',
  'disputed',
  'claimed',
  'incomplete',
  'unverified',
  'checking',
  'none',
] as const satisfies readonly Mark['state'][];

function mark(value: unknown): Mark {
  const from = fields(value);
  return {
    state: oneOf(from.state, STATES, 'none'),
    have: number(from.have),
    of: number(from.of),
    why: words(from.why, LIMITS.cellText),
  };
}

const share = (value: unknown): number => Math.min(1, Math.max(0, number(value) ?? 0));

/** Shares of the rule on top; when they say nothing, nothing is claimed and nothing is measured. */
function rule(value: unknown): CardBase['rule'] {
  const from = fields(value);
  const parts = {
    measured: share(from.measured),
    claimed: share(from.claimed),
    missing: share(from.missing),
  };
  const sum = parts.measured + parts.claimed + parts.missing;
  if (sum === 0) return { measured: 0, claimed: 0, missing: 1 };
  return {
    measured: parts.measured / sum,
    claimed: parts.claimed / sum,
    missing: parts.missing / sum,
  };
}

function button(value: unknown): Button | null {
  const from = fields(value);
  const label = words(from.label, LIMITS.label);
  const request = words(from.request, LIMITS.question);
  return label === null || request === null ? null : { label, request };
}

/** Controls of one card, and choices of one of them, at most. */
const CONTROLS = 8;
const CHOICES = 60;

function control(value: unknown): Control | null {
  const from = fields(value);
  const id = words(from.id, SHORT);
  const label = words(from.label, SHORT);
  const options = list(
    from.options,
    (item) => {
      const option = fields(item);
      const name = words(option.label, SHORT);
      const chosen = text(option.value);
      return name === null || chosen === null ? null : { value: chosen, label: name };
    },
    CHOICES,
  );
  return id === null || label === null || options.length < 2
    ? null
    : { id, label, value: text(from.value) ?? '', options };
}

/** What every card has. */
export function base(value: unknown): CardBase {
  const from = fields(value);
  const changed = words(from.changed, LIMITS.cellText);
  return {
    id: short(from.id),
    title: words(from.title, LIMITS.title * 2) ?? 'Untitled card',
    sub: words(from.sub, LIMITS.cellText),
    mark: mark(from.mark),
    actions: list(from.actions, button, LIMITS.actions),
    evidence: list(from.evidence, (id) => words(id, SHORT), EVIDENCE),
    trimmed: words(from.trimmed, SHORT),
    rule: rule(from.rule),
    ...(from.controls === undefined ? {} : { controls: list(from.controls, control, CONTROLS) }),
    ...(changed === null ? {} : { changed }),
  };
}
