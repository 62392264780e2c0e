import { plainName } from '../../../../shared/outcomes.ts';
import type { LogBlock, Where } from '../../../../shared/plan.ts';
import type { RecordProfile } from '../../../record/store.ts';
import { inValues } from '../filters.ts';
import { button } from '../plan-builder.ts';
import { EVENT_QUESTIONS, eventQuestions, QUESTIONS, storyOf, timelineOf } from '../questions.ts';
import { clockRange } from './clock-range.ts';
import { type Compose, featureTitle, scopeOf, start } from './context.ts';

/** Which place of the log a question asks for. */
function placeIn(question: string): LogBlock['around'] {
  if (/\b(?:last|latest|final) (?:failure|failed|block)/i.test(question)) return 'last_failure';
  if (
    /\b(?:failure|failed|fails?|block(?:ed)?|went wrong)\b/i.test(question) &&
    /\b(?:around|first|before|after|near)\b/i.test(question)
  )
    return 'first_failure';
  if (/\b(?:no|without) (?:an )?outcome\b/i.test(question)) return 'first_open_start';
  return /\b(?:end|tail|last lines?|last entries|latest lines?)\b/i.test(question) ? 'end' : 'nothing';
}

const TITLES: Readonly<Record<LogBlock['around'], string>> = {
  nothing: 'The log',
  first_failure: 'The log around the first failure',
  last_failure: 'The log around the last failure',
  first_open_start: 'The log around a start without outcome',
  end: 'The end of the log',
};

/** Kinds of entries a question names ("test fail", "evidence fail"), errors and warnings. */
function kindsIn(question: string, profile: RecordProfile): Where[] {
  const text = ` ${question.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `;
  const kinds = (profile.entryKinds ?? []).filter(
    (kind) => kind.includes('_') && text.includes(` ${plainName(kind).toLowerCase()} `),
  );
  if (kinds.length > 0) return [inValues('entry_kind', kinds)];
  return /\b(?:only|just) (?:the )?errors\b|\berror (?:lines|entries)\b|\berrors (?:in|of) the log\b/i.test(
    question,
  )
    ? [inValues('level', ['error'])]
    : [];
}

/** The entries of the log as they stand in it: of a feature, of a kind, of a span of time, or around a place. */
export const composeLog: Compose = (context) => {
  const { reading, profile } = context;
  const id = reading.features.length === 1 ? reading.features[0] : undefined;
  const plan = start(context, { feature: id ?? null, scope: scopeOf(reading) });
  const around = placeIn(reading.question);
  const where = [...kindsIn(reading.question, profile), ...clockRange(reading.question)];
  plan.fact('entries', { measure: 'log_entries', where });
  plan.fact('errors', { measure: 'log_errors', where });
  plan.explain(
    profile.counts.log_events > 0
      ? 'In scope are {entries}, with {errors} at the level error. Each opens to its lines.'
      : 'No source of this record is a log.',
  );
  plan.log({
    title:
      id === undefined
        ? TITLES[around]
        : `${TITLES[around]}, ${featureTitle(profile, id).replace(/^F/, 'f')}`,
    around,
    size: reading.size === 'all' || where.length > 0 ? 'all' : 'some',
    where,
    actions: [
      id === undefined
        ? button('Timeline of the run', EVENT_QUESTIONS.timeline)
        : button('Its timeline', timelineOf(id)),
      ...(around === 'nothing'
        ? [button('Around the first failure', EVENT_QUESTIONS.log)]
        : [button('The end', EVENT_QUESTIONS.logEnd)]),
    ],
  });
  if (profile.counts.gate_events > 0)
    plan.timeline({
      of: 'gates',
      title: id === undefined ? 'The gates on the same clock' : 'Its gates on the same clock',
      where: clockRange(reading.question),
    });
  if (profile.counts.log_events > 0)
    plan.chart({
      title: 'Entries by kind',
      of: ['log_entries'],
      by: 'entry_kind',
      order: 'largest',
      size: 'some',
      where,
    });
  return plan.ask(...(id === undefined ? [] : [storyOf(id)]), ...eventQuestions(profile), QUESTIONS.overview);
};
