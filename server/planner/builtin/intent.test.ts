import { describe, expect, it } from 'vitest';
import { testProfile } from '../test-profile.ts';
import { groupingOf, intentOf } from './intent.ts';
import { read } from './reading.ts';

/** What a question must be read as; what a row leaves out is not looked at. */
interface Wanted {
  features?: string[];
  categories?: string[];
  measure?: string;
  by?: string | null;
  direction?: 'high' | 'low';
  size?: string;
  topic?: string;
  filters?: unknown[];
  ranges?: unknown[];
}

const CASES: [question: string, family: string, wanted?: Wanted][] = [
  ['How did the run go?', 'overview'],
  ['what happened?', 'overview'],
  ['give me a summary', 'overview'],
  ['what got built', 'overview'],
  ['did the run finish?', 'overview'],
  ['overview please', 'overview'],
  ['why did feature 28 take three attempts?', 'feature', { features: ['28'], measure: 'attempts' }],
  ['what happened to feature 3?', 'feature', { features: ['3'] }],
  ['tell me about #12', 'feature', { features: ['12'] }],
  ['why was the skeleton one so slow?', 'feature', { features: ['28'] }],
  ['did the dark mode thing fail three times?', 'feature', { features: ['3'] }],
  ['feature twenty-eight', 'feature', { features: ['28'] }],
  ['what went wrong with the dark mode toggle', 'feature', { features: ['3'] }],
  ['28', 'feature', { features: ['28'] }],
  ['how does feature 28 compare with its category?', 'feature', { features: ['28'] }],
  ['Which features were the slowest?', 'ranking', { measure: 'build_time', direction: 'high', by: null }],
  ['which feature took the longest?', 'ranking', { measure: 'build_time', direction: 'high' }],
  ['fastest features', 'ranking', { measure: 'build_time', direction: 'low' }],
  ['top 5 slowest', 'ranking', { measure: 'build_time', direction: 'high', size: 'few' }],
  ['the ten slowest features', 'ranking', { direction: 'high', size: 'some' }],
  ['which features took the most attempts?', 'ranking', { measure: 'attempts', direction: 'high' }],
  ['which features have the lowest score', 'ranking', { measure: 'lowest_score', direction: 'low' }],
  ['worst scores', 'ranking', { measure: 'lowest_score', direction: 'low' }],
  ['best scored features', 'ranking', { measure: 'mean_score', direction: 'high' }],
  ['most lines added', 'ranking', { measure: 'lines_added', direction: 'high' }],
  ['which feature has the fewest lines of code?', 'ranking', { measure: 'lines_added', direction: 'low' }],
  [
    'which features were the slowest in polish?',
    'ranking',
    { categories: ['polish'], measure: 'build_time' },
  ],
  ['which categories were slow, and is that because of retries?', 'ranking', { by: 'category' }],
  ['which category was slowest?', 'ranking', { by: 'category', measure: 'build_time', direction: 'high' }],
  ['where did it struggle most?', 'ranking'],
  ['slowst featurs', 'ranking', { measure: 'build_time', direction: 'high' }],
  [
    'slowest features without scaffold',
    'ranking',
    { filters: [{ type: 'in', dim: 'category', not: true, any_of: ['scaffold'] }] },
  ],
  ['build time by category', 'distribution', { measure: 'build_time', by: 'category' }],
  ['average score per category', 'distribution', { measure: 'mean_score', by: 'category' }],
  ['how are the scores distributed?', 'distribution', { measure: 'mean_score' }],
  ['features by status', 'distribution', { by: 'status' }],
  ['how many features in each category', 'distribution', { by: 'category' }],
  [
    'what share of build time went to each category',
    'distribution',
    { measure: 'build_time', by: 'category' },
  ],
  ['acceptance rate by category', 'distribution', { measure: 'acceptance_rate', by: 'category' }],
  ['findings by rule', 'distribution', { by: 'rule', measure: 'findings' }],
  ['attempts by source', 'distribution', { by: 'source', measure: 'attempts' }],
  ['commits by phase', 'distribution', { by: 'phase' }],
  ['did it get slower over the run?', 'trend', { measure: 'build_time' }],
  ['how did build time change over the run?', 'trend', { measure: 'build_time' }],
  ['score over time', 'trend', { measure: 'mean_score' }],
  ['trend of lines added', 'trend', { measure: 'lines_added' }],
  ['did the score improve as the run went on?', 'trend', { measure: 'mean_score' }],
  ['which features were skipped?', 'failed'],
  ['what failed?', 'failed'],
  ['how many failed?', 'failed'],
  ['what is missing', 'failed'],
  ['which ones were not accepted?', 'failed'],
  ['compare feature 28 with feature 1', 'compare', { features: ['28', '1'] }],
  ['12 vs 13', 'compare', { features: ['12', '13'] }],
  ['is 28 slower than 1?', 'compare', { features: ['28', '1'] }],
  ['compare scaffold and polish', 'compare', { categories: ['scaffold', 'polish'] }],
  ['compare the category tokens with the category git', 'compare', { categories: ['tokens', 'git'] }],
  [
    'scaffold versus polish by score',
    'compare',
    { categories: ['scaffold', 'polish'], measure: 'mean_score' },
  ],
  ['do the sources agree?', 'sources'],
  ['where does the record contradict itself', 'sources'],
  ['which features are disputed?', 'sources'],
  ['can I trust metrics.json?', 'sources'],
  ['what changed between the log and metrics.json?', 'sources'],
  ['do the sources agree about feature 28?', 'sources', { features: ['28'] }],
  ['when did the three attempts enter metrics.json?', 'commits'],
  ['which commits came after the run', 'commits'],
  ['show the commits of feature 28', 'commits', { features: ['28'] }],
  ['how many commits were there', 'commits'],
  ['how many features were accepted?', 'figure', { measure: 'accepted_features' }],
  ['how long did feature 12 take?', 'figure', { features: ['12'], measure: 'build_time' }],
  ['how many attempts did feature 28 take', 'figure', { features: ['28'], measure: 'attempts' }],
  ['what is the median build time?', 'figure', { measure: 'median_build_time' }],
  ['how many lines were added?', 'figure', { measure: 'lines_added' }],
  ['acceptance rate', 'figure', { measure: 'acceptance_rate' }],
  ['how many tokens are claimed?', 'figure', { measure: 'tokens' }],
  ['how long did the run take?', 'figure', { measure: 'elapsed' }],
  ['what was the score of feature 13', 'figure', { features: ['13'], measure: 'mean_score' }],
  ['which features are in the category polish?', 'list', { categories: ['polish'] }],
  ['list all features', 'list', { size: 'all' }],
  [
    'which features scored less than 9?',
    'list',
    { ranges: [{ dim: 'score', from: null, to: '8.99', words: 'less than 9' }] },
  ],
  [
    'features with more than one attempt',
    'list',
    { ranges: [{ dim: 'attempts', from: '2', to: null, words: 'more than one attempt' }] },
  ],
  ['what does acceptance rate mean?', 'definition', { measure: 'acceptance_rate' }],
  ['what did it cost per feature that shipped?', 'unrecorded', { topic: 'cost' }],
  ['tokens per model', 'unrecorded', { topic: 'model_tokens' }],
  ['how many tool calls were there?', 'unrecorded', { topic: 'tools' }],
  ['which failures were the verifier fault?', 'unrecorded', { topic: 'verifier' }],
  ['what is waiting for a human', 'unrecorded', { topic: 'human' }],
  ['did the tests pass?', 'unrecorded', { topic: 'tests' }],
  ['what did feature 28 cost?', 'unrecorded', { topic: 'cost', features: ['28'] }],
  ['did feature 28 take three attempts?', 'feature', { features: ['28'], measure: 'attempts' }],
  ['which feature has most findings?', 'ranking', { measure: 'findings' }],
  ['compare this run with the previous run', 'distribution', { by: 'run' }],
  ['is feature 28 the slowest?', 'feature', { features: ['28'] }],
  ['when was feature 12 finished?', 'feature', { features: ['12'] }],
  ['when did it finish?', 'overview'],
  ['show me everything about tokens', 'figure', { measure: 'tokens' }],
  ['what is the weather in Paris', 'not_understood'],
  ['asdf qwer', 'not_understood'],
  ['', 'not_understood'],
  ['hello', 'not_understood'],
];

describe('reading a question', () => {
  it.each(CASES)('%s -> %s', (question, family, wanted = {}) => {
    const reading = read(question, testProfile);
    expect(intentOf(reading).family).toBe(family);
    const got = {
      features: reading.features,
      categories: reading.categories,
      measure: reading.measures[0],
      by: groupingOf(reading),
      direction: reading.direction,
      size: reading.size,
      topic: reading.topic?.id,
      filters: reading.filters,
      ranges: reading.ranges,
    };
    expect(got).toMatchObject(wanted);
  });
});
