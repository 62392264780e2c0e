import type { Asked } from './asked.ts';
import type { Question } from './question.ts';

/** One question that was asked, and what its answer lacks. */
export interface Result {
  question: Question;
  asked: Asked;
  lacks: string[];
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;

/** The value below which a part of the values lie; null for none. */
export function quantile(values: readonly number[], part: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null;
}

const ms = (value: number | null): string => (value === null ? 'none' : `${Math.round(value)} ms`);

/** Part of the results that lack nothing, 0 to 1. */
export const rightShare = (results: readonly Result[]): number =>
  results.length === 0 ? 0 : results.filter(({ lacks }) => lacks.length === 0).length / results.length;

/** Scores of one file of questions by family, and what failed. */
function section(title: string, results: readonly Result[]): string[] {
  const right = results.filter(({ lacks }) => lacks.length === 0).length;
  const families = [...new Set(results.map(({ question }) => question.family))].sort();
  const wrong = results.filter(({ lacks }) => lacks.length > 0);
  return [
    `## ${title}`,
    '',
    `Right: ${percent(right, results.length)}.`,
    '',
    '| family | right | questions |',
    '|---|---|---|',
    ...families.map((family) => {
      const of = results.filter(({ question }) => question.family === family);
      return `| ${family} | ${of.filter(({ lacks }) => lacks.length === 0).length} | ${of.length} |`;
    }),
    '',
    ...(wrong.length === 0 ? [] : ['What is not right:', '']),
    ...wrong.map(
      ({ question, lacks }) =>
        `- ${question.id} "${[...(question.after ?? []), question.ask].join('" then "')}": ${lacks.join('; ')}`,
    ),
    ...(wrong.length === 0 ? [] : ['']),
  ];
}

/**
 * The report as Markdown.
 * @param planner what people call the planner
 * @param files results by the file of questions they come from
 */
export function reportOf(
  planner: string,
  files: readonly { title: string; results: readonly Result[] }[],
): string {
  const all = files.flatMap(({ results }) => results);
  const times = all.map(({ asked }) => asked.ms);
  const invalid = all.filter(({ asked }) => asked.plan === null).length;
  const trimmed = all.filter(({ asked }) => asked.refused > 0).length;
  const used = all.flatMap(({ asked }) => (asked.tokens === null ? [] : [asked.tokens]));
  return [
    `# Evaluation: ${planner}`,
    '',
    `${all.length} questions over the demo records. Plans that could not be used: ${percent(invalid, all.length)}; plans with blocks that were refused: ${percent(trimmed, all.length)}.`,
    `Time to the whole plan: median ${ms(quantile(times, 0.5))}, 95th percentile ${ms(quantile(times, 0.95))}.`,
    ...(used.length === 0
      ? []
      : [
          `Tokens: ${used.reduce((sum, { in: read }) => sum + read, 0)} read and ${used.reduce((sum, { out }) => sum + out, 0)} written in ${used.length} plans.`,
        ]),
    '',
    'The tuned questions are those the built-in planner was mended by, so their share says little by itself. The held-out ones were',
    'written by somebody who had not seen the planner; the aim for them is 85 %.',
    '',
    ...files.flatMap(({ title, results }) => section(title, results)),
  ].join('\n');
}
