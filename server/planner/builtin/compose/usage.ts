import { dimensionById } from '../../../metrics/dimensions.ts';
import { fits } from '../../../metrics/fit.ts';
import { isOfSessions, measureById } from '../../../metrics/measures.ts';
import { figure, type PlanBuilder } from '../plan-builder.ts';
import { EVENT_QUESTIONS, QUESTIONS } from '../questions.ts';
import type { Reading } from '../reading.ts';
import { capital } from '../wording.ts';
import { type Compose, start } from './context.ts';

/** Topics that sessions of coding agents answer, with the figure that is meant where none is named. */
const MEANT = {
  cost: 'session_cost',
  model_tokens: 'session_tokens',
  tools: 'tool_calls',
  idle: 'wall_time',
  conversation: 'sessions',
} as const;
const TOPIC_IDS = ['cost', 'tools', 'idle', 'model_tokens', 'conversation'] as const;

/** Words of groupings, the more particular first. */
const GROUPINGS: readonly [id: string, words: RegExp][] = [
  ['session', /\b(?:each|per|by|which) sessions?\b/i],
  ['model', /\b(?:each|per|by|which|what) models?\b/i],
  ['branch', /\bbranch(?:es)?\b/i],
  ['commit', /\b(?:each|per|by|which) commits?\b/i],
  ['day', /\b(?:day|daily|night by night)s?\b/i],
  ['hour', /\bhour(?:ly|s)?\b/i],
  ['month', /\bmonth(?:ly|s)?\b/i],
  ['feature', /\b(?:each|per|by|which|what) (?:accepted )?(?:feature|task|stor(?:y|ie)|item)s?\b/i],
];
/** How the rows of a table are told apart where nothing is asked. */
const USUAL: Readonly<Record<string, string>> = {
  request: 'model',
  tool_call: 'tool',
  session: 'session',
  session_time: 'activity',
};

function measureOf({ question, measures, held, cues }: Reading): string {
  const named = measures.find((id) => {
    const measure = measureById(id);
    return measure !== undefined && isOfSessions(measure.base);
  });
  if (/\bcach(?:e|es|ed|ing)\b/i.test(question) && /\bsav/i.test(question)) return 'cache_savings';
  if (/\baccepted feature\b/i.test(question) && held.has('cost')) return 'cost_per_accepted_feature';
  if (held.has('tools') && (cues.has('failed') || cues.has('struggle'))) return 'tool_failures';
  const topic = TOPIC_IDS.find((id) => held.has(id));
  return named ?? (topic === undefined ? 'session_cost' : MEANT[topic]);
}

function groupingOf(reading: Reading, measure: string): string {
  const known = measureById(measure);
  const asked = GROUPINGS.find(([id, words]) => {
    const dimension = dimensionById(id);
    return words.test(reading.question) && known && dimension && fits(known, dimension);
  });
  return asked?.[0] ?? USUAL[known?.base ?? ''] ?? 'session';
}

/** The figures that belong to what was asked. */
function figures(plan: PlanBuilder, base: string): void {
  const told: readonly [label: string, measure: string][] =
    base === 'tool_call'
      ? [
          ['Tool calls', 'tool_calls'],
          ['Failed', 'tool_failures'],
          ['The same failure again', 'repeated_failures'],
        ]
      : base === 'session_time' || base === 'session'
        ? [
            ['Sessions', 'sessions'],
            ['Wall time', 'wall_time'],
            ['Cost', 'session_cost'],
          ]
        : [
            ['Cost', 'session_cost'],
            ['Requests', 'requests'],
            ['Tokens', 'session_tokens'],
            ['Saved by caching', 'cache_savings'],
          ];
  for (const [, measure] of told) plan.fact(`all_${measure}`, { measure });
  plan.stat(
    'Sessions in figures',
    told.map(([label, measure]) => figure(label, `all_${measure}`)),
  );
}

/** What sessions of coding agents cost, took and did: money, tokens, tools, time. */
export const composeUsage: Compose = (context) => {
  const { reading } = context;
  const plan = start(context);
  const measure = measureOf(reading);
  const known = measureById(measure);
  const by = groupingOf(reading, measure);
  const label = known?.label ?? measure;
  const grouping = dimensionById(by)?.label ?? by;
  plan.fact('value', { measure });
  plan.explain(`${capital(label)}: {value}, over all sessions of this project that were read.`);
  const grouped = known !== undefined && dimensionById(by) !== undefined && known.aggregate !== 'quotient';
  if (grouped) {
    plan.fact('most', { measure, kind: 'top_label', by });
    plan.fact('most_value', { measure, kind: 'top_value', by });
    plan.explain(`By ${grouping} the highest is {most}, with {most_value}.`);
    plan.chart({
      title: `${capital(label)} by ${grouping}`,
      of: [measure],
      by,
      order: dimensionById(by)?.kind === 'category' ? 'largest' : 'natural',
      size: 'some',
    });
  }
  figures(plan, known?.base ?? 'request');
  if (known?.base === 'request') {
    plan.fact('unpriced', { measure: 'unpriced_requests' });
    plan.explain('Of the requests {unpriced} have no price; a sum over them is a lower bound.');
    if (by !== 'day')
      plan.chart({ title: `${capital(label)} by day`, of: [grouped ? measure : 'session_cost'], by: 'day' });
  }
  if (known?.base === 'tool_call')
    plan.chart({
      title: 'Failures by error',
      of: ['tool_failures'],
      by: 'error',
      order: 'largest',
      size: 'some',
    });
  if (known?.base === 'session_time' && by !== 'session')
    plan.chart({ title: `${capital(label)} by session`, of: [measure], by: 'session', order: 'largest' });
  return plan.ask(
    EVENT_QUESTIONS.sessionCost,
    EVENT_QUESTIONS.toolFailures,
    EVENT_QUESTIONS.sessionTime,
    QUESTIONS.overview,
  );
};
