import type { CardData, Cell, ConflictCard, Figure } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { ServerBlock } from '../../../shared/plan.ts';
import { baseOf, shown, titleOf } from './base.ts';
import type { ResolveContext } from './context.ts';
import { emptyCard } from './empty.ts';
import { isClaim, judge, missing } from './figure.ts';
import {
  type FeatureStory,
  isDisputed,
  isStoryFact,
  STORY,
  type StoryFact,
  saysTheSame,
  storiesOf,
} from './story.ts';
import { countedFigure, toldFigure } from './told.ts';

const ALWAYS: readonly StoryFact[] = ['attempts', 'build_time'];

const DISPUTED_SQL = `SELECT f.ext_id FROM features f JOIN runs r ON r.run_id = f.run_id
  WHERE r.is_current AND EXISTS (SELECT 1 FROM findings d WHERE d.feature_id = f.feature_id AND d.rule = 'sources_disagree')
  ORDER BY f.ord`;

/** Facts of a story on which sources say different things. */
const disputedFacts = (story: FeatureStory): StoryFact[] =>
  [...story.counted.keys()].filter(isStoryFact).filter((fact) => isDisputed(story, fact));

/** What another source says beside what is counted, each by its own basis; agreement, or nothing. */
function cellOf(
  story: FeatureStory,
  fact: StoryFact,
  context: ResolveContext,
): { cell: Cell; figures: Figure[] } {
  const word = story.counted.get(fact);
  if (!word) return { cell: { kind: 'none', why: 'not recorded' }, figures: [] };
  const counted = countedFigure(story, fact, context);
  const tellers = story.sources.filter(({ told }) => told.get(fact)?.value != null);
  if (isClaim(word.cite.basis)) {
    // Told by a claim alone: there is nothing measured to set against it.
    const none = missing(STORY[fact].unit, 'no measured source');
    return { cell: { kind: 'change', claimed: counted, counted: none }, figures: [counted] };
  }
  const other = word.disputed ? tellers.find((source) => !saysTheSame(story, source, fact)) : undefined;
  if (!other)
    return {
      cell: tellers.length > 1 ? { kind: 'agree' } : { kind: 'figure', figure: counted },
      figures: [],
    };
  // Named `claimed` on the page's side; it may well be measured, and then says so itself.
  const claimed = toldFigure(story, other, fact, context);
  return { cell: { kind: 'change', claimed, counted }, figures: [claimed, counted] };
}

/** Features whose sources disagree: what another source says on the left of each arrow, what is counted on the right. */
export async function resolveConflict(
  block: Extract<ServerBlock, { type: 'conflict' }>,
  id: string,
  context: ResolveContext,
): Promise<CardData> {
  const found = (await context.queries.rows(DISPUTED_SQL, [])).flatMap((row) =>
    typeof row.ext_id === 'string' ? [row.ext_id] : [],
  );
  const ids = block.feature === null ? found : found.filter((entry) => entry === block.feature);
  const about = { id, title: block.title, actions: block.actions };
  if (ids.length === 0)
    return emptyCard(
      context,
      about,
      'none',
      block.feature === null
        ? 'The sources of this record agree wherever two of them tell the same fact.'
        : `The sources agree about feature ${block.feature}.`,
      'Ask how the run went, or which features took longest.',
    );
  const stories = await storiesOf(ids.slice(0, LIMITS.tableRows), context);
  const disputed = new Set(stories.flatMap(disputedFacts));
  const facts = [
    ...ALWAYS,
    ...Object.keys(STORY)
      .filter(isStoryFact)
      .filter((fact) => !ALWAYS.includes(fact) && disputed.has(fact)),
  ].slice(0, 5);
  const filled = stories.map((story) => ({
    story,
    parts: facts.map((fact) => cellOf(story, fact, context)),
  }));
  const figures = filled.flatMap(({ parts }) => parts.flatMap((part) => part.figures));
  const card: ConflictCard = {
    ...baseOf(context, {
      ...about,
      sub: 'What another source says on the left of each arrow, what is counted on the right.',
      evidence: figures.map(({ evidence }) => evidence).slice(0, LIMITS.points),
      trimmed: shown(stories.length, ids.length, 'features'),
      ...judge(figures),
    }),
    type: 'conflict',
    columns: [
      { id: 'feature', label: 'feature', align: 'start' },
      ...facts.map((fact) => ({
        id: fact,
        label: STORY[fact].unit === 's' ? `${STORY[fact].label}, s` : STORY[fact].label,
        align: 'end' as const,
      })),
    ],
    rows: filled.map(({ story, parts }) => [
      { kind: 'feature', id: story.id, title: titleOf(context, story.id) },
      ...parts.map((part) => part.cell),
    ]),
    total: ids.length,
  };
  return card;
}
