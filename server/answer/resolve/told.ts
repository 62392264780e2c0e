import type { Figure, Unit } from '../../../shared/cards.ts';
import { onlyFeature, single } from '../../metrics/query.ts';
import { absence } from '../facts.ts';
import type { ResolveContext } from './context.ts';
import { isClaim, missing } from './figure.ts';
import { type FeatureStory, type Listed, type SourceStory, STORY, type StoryFact } from './story.ts';

/** What sources tell, as figures of a page that open the query behind them. */

/** One source's word as a figure that opens the query behind it. */
export function toldFigure(
  story: FeatureStory,
  source: SourceStory,
  fact: StoryFact,
  context: ResolveContext,
): Figure {
  const { measure, unit } = STORY[fact];
  const word = source.told.get(fact);
  if (!word || word.value === null) return missing(unit, absence(source.kind, context.queries));
  return {
    value: word.value,
    unit,
    basis: word.cite.basis,
    evidence: context.register({
      kind: 'query',
      query: single(measure, source.kind, [onlyFeature(story.id)]),
      key: {},
    }),
    disputed: word.disputed,
    n: null,
    missing: null,
  };
}

/** The counted word on a fact as a figure. */
export function countedFigure(story: FeatureStory, fact: StoryFact, context: ResolveContext): Figure {
  const { measure, unit } = STORY[fact];
  const word = story.counted.get(fact);
  if (!word || word.value === null) return missing(unit, 'not recorded');
  return {
    value: word.value,
    unit,
    basis: word.cite.basis,
    evidence: context.register({
      kind: 'query',
      query: single(measure, 'counted', [onlyFeature(story.id)]),
      key: {},
    }),
    disputed: word.disputed,
    n: 1,
    missing: null,
  };
}

/** A score or duration of one listed attempt as a figure. */
export function listedFigure(
  story: FeatureStory,
  source: SourceStory,
  attempt: Listed,
  field: 'score' | 'duration',
  context: ResolveContext,
): Figure {
  const unit: Unit = field === 'score' ? 'points' : 's';
  const value = attempt[field];
  if (value === null) return missing(unit, 'not recorded');
  return {
    value,
    unit,
    basis: attempt.cite.basis,
    evidence: context.register({
      kind: 'attempt',
      feature: story.id,
      source: source.kind,
      n: attempt.n,
      field,
    }),
    // What is measured is not in doubt because a claim tells another story.
    disputed: isClaim(attempt.cite.basis) && (source.told.get('attempts')?.disputed ?? false),
    n: null,
    missing: null,
  };
}
