import { CODES, isCode } from '../../../shared/codes.ts';
import type { ShapeName } from '../cards/shape.tsx';
import { duration, plural } from '../lib/words.ts';
import type { AnswerState } from './state.ts';

/** The verification line: a shape, what it says first, the rest of it, and whether it can be gone on with. */
export interface VerdictLine {
  shape: ShapeName | null;
  parts: string[];
  /** How long the answer took, or null. */
  took: string | null;
  /** Short fingerprint of the record the check ran on, set in mono. */
  record: string | null;
  again: 'Resume' | 'Ask again' | 'Try again' | null;
}

/** What the line under the question says about an answer that is not being made. */
export function verdictLine(answer: AnswerState): VerdictLine {
  const { report, ending, code } = answer;
  const cards = plural(ending?.cards ?? answer.cardsReady, 'card');
  const early = stoppedEarly(answer);
  const unchecked = 'What is here was read but not checked.';
  if (answer.phase === 'lost') {
    const says = isCode(code) ? CODES[code].says : 'No answer came. Check that Looplight is still running.';
    const again = answer.kind !== 'question' ? 'Try again' : answer.question === null ? null : 'Ask again';
    return { shape: 'bang', parts: [says], took: null, record: null, again };
  }
  if (answer.phase === 'interrupted' || answer.phase === 'left') {
    const how = code === 'stopped' ? 'Stopped' : 'Interrupted';
    return {
      shape: 'bang',
      parts: [early ? EARLY : `${how} after ${cards}. ${answer.cardsReady > 0 ? unchecked : ''}`.trim()],
      took: null,
      record: null,
      again: answer.id === null ? 'Ask again' : 'Resume',
    };
  }
  if (code === 'stopped') {
    return {
      shape: 'bang',
      parts: [early ? EARLY : `Stopped after ${cards}. ${unchecked}`],
      took: null,
      record: null,
      again: 'Ask again',
    };
  }
  const took = ending === null ? null : duration(ending.ms);
  const record = report === null || report.record === '' ? null : report.record;
  if (report === null || !report.ok) {
    const why =
      report !== null && isCode(report.code) ? CODES[report.code].title : 'not checked a second time';
    return { shape: 'bang', parts: [cards, lowerFirst(why)], took, record, again: null };
  }
  const against = report.sources === 0 ? '' : ` against ${plural(report.sources, 'source')}`;
  const verified = `${plural(report.figures, 'figure')} verified${against}`;
  const rows = report.rows === 0 ? [] : [plural(report.rows, 'row')];
  const changed =
    report.changed === 0 ? 'nothing changed by it' : `${plural(report.changed, 'card')} corrected by it`;
  const check = `checked in ${duration(report.ms)}, ${changed}`;
  const short = isCode(code) ? [lowerFirst(CODES[code].title)] : [];
  return {
    shape: short.length > 0 ? 'bang' : 'check',
    parts: [cards, verified, ...rows, check, ...short],
    took,
    record,
    again: null,
  };
}

const EARLY = 'Stopped before anything was read. No card was made.';

/** Whether an answer was stopped while no step of it was done: its only card, if any, is the notice of the stop. */
const stoppedEarly = ({ code, progress, cardsReady }: AnswerState): boolean =>
  code === 'stopped' &&
  cardsReady <= Math.min(1, progress.length) &&
  !progress.some((entry) => entry.done || entry.step === 'cards');

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
