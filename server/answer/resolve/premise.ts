import type { Figure, Inline, PremiseCard, PremiseRow } from '../../../shared/cards.ts';
import type { ServerBlock } from '../../../shared/plan.ts';
import { checkQuery } from '../../metrics/fit.ts';
import { type Measure, measureById } from '../../metrics/measures.ts';
import { single } from '../../metrics/query.ts';
import { compileRows } from '../../metrics/rows.ts';
import { list } from '../../metrics/words.ts';
import { absence } from '../facts.ts';
import { clip } from '../placeholders.ts';
import { baseOf, titleOf } from './base.ts';
import { citeOf, type ResolveContext } from './context.ts';
import { figureOf, isClaim, type Judged, judge } from './figure.ts';
import {
  bearsOut,
  type FeatureStory,
  isStoryFact,
  type SourceStory,
  STORY,
  type StoryFact,
  saysTheSame,
  storyOf,
} from './story.ts';
import { countedFigure, listedFigure, toldFigure } from './told.ts';

type PremiseBlock = Extract<ServerBlock, { type: 'premise' }>;
type PremiseCell = PremiseRow['cells'][number];

const text = (value: string): Inline => ({ kind: 'text', text: value });

/** What no source tells is neither verified nor doubted. */
const UNKNOWN: Judged = {
  mark: { state: 'none', have: null, of: null, why: 'No source of this record tells it.' },
  rule: { measured: 0, claimed: 0, missing: 1 },
};

/** What the question takes for granted, as it stands in a title. */
const claimWords = (block: PremiseBlock): string => clip(block.claimed.text.replace(/\s+/g, ' ').trim(), 36);

/** The asked fact first, then what belongs to the story of a feature. */
function columnsFor(asked: string): (StoryFact | 'status')[] {
  const story: (StoryFact | 'status')[] = ['attempts', 'score', 'build_time'];
  const first = asked === 'status' || isStoryFact(asked) ? asked : null;
  return first === null ? story : [first, ...story.filter((fact) => fact !== first)];
}

/** One source's word on one fact; a list of attempts gives several values. */
function cellOf(
  story: FeatureStory,
  source: SourceStory,
  fact: StoryFact | 'status',
  context: ResolveContext,
): PremiseCell {
  if (fact === 'status')
    return {
      figures: [],
      join: 'then',
      missing: source.told.get('status')?.text ?? absence(source.kind, context.queries),
    };
  const field = fact === 'score' ? 'score' : fact === 'build_time' ? 'duration' : null;
  if (field !== null && source.attempts.length > 1) {
    const figures = source.attempts
      .map((attempt) => listedFigure(story, source, attempt, field, context))
      .filter(({ value }) => value !== null);
    if (figures.length > 1) return { figures, join: field === 'score' ? 'then' : 'plus', missing: null };
  }
  const figure = toldFigure(story, source, fact, context);
  return figure.value === null
    ? { figures: [], join: 'then', missing: figure.missing }
    : { figures: [figure], join: 'then', missing: null };
}

/** Who stands behind the counted value, in a sentence. */
function standing(story: FeatureStory, fact: string): string {
  const measured = story.sources.filter((source) => bearsOut(story, source, fact));
  // A claim that says the same neither bears it out nor speaks against it.
  const against = story.sources.filter(
    (source) => source.told.has(fact) && !saysTheSame(story, source, fact),
  );
  const who =
    measured.length === 2
      ? `${list(measured.map(({ name }) => name))} agree.`
      : measured.length > 2
        ? `${list(measured.map(({ name }) => name))} all agree.`
        : measured.length === 1
          ? `${measured[0]?.name ?? ''} is the strongest source.`
          : '';
  const claims = against.filter((source) => isClaim(source.told.get(fact)?.cite.basis ?? 'unknown'));
  const rest =
    claims.length > 0
      ? ` What ${list(claims.map(({ name }) => name))} says stays on the page, marked as claimed.`
      : '';
  // Not every source that differs is a mere claim: measured ones can contradict each other.
  const others = against.filter((source) => !claims.includes(source));
  const differ =
    others.length > 0
      ? ` ${list(others.map(({ name }) => name))} ${others.length === 1 ? 'says' : 'say'} otherwise.`
      : '';
  return `${who}${differ}${rest}`.trim();
}

async function featurePremise(
  block: PremiseBlock,
  feature: string,
  id: string,
  context: ResolveContext,
): Promise<PremiseCard> {
  const story = await storyOf(feature, context);
  const measure = measureById(block.measure);
  const asked = block.measure === 'status' ? 'status' : (measure?.fact ?? 'attempts');
  const columns = columnsFor(asked);
  const rows: PremiseRow[] = story.sources
    .filter(({ told, attempts }) => attempts.length > 0 || columns.some((fact) => told.has(fact)))
    .map((source) => {
      const word = source.told.get(asked);
      return {
        source: source.name,
        cite: word?.cite ?? source.cite,
        basis: word?.cite.basis ?? source.cite.basis,
        counted: bearsOut(story, source, asked),
        cells: columns.map((fact) => cellOf(story, source, fact, context)),
      };
    })
    // A claim is told first, then what is measured against it.
    .sort((a, b) => Number(isClaim(b.basis)) - Number(isClaim(a.basis)));
  const counted = asked !== 'status' && isStoryFact(asked) ? countedFigure(story, asked, context) : null;
  const status = story.counted.get('status');
  const known = counted?.value != null || (asked === 'status' && status !== undefined);
  const agrees =
    asked === 'status'
      ? status !== undefined && claimWords(block).toLowerCase() === status.text
      : counted?.value != null && counted.value === block.claimed.value;
  const figures = rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.figures));
  const disputed = (counted?.disputed ?? false) || (asked === 'status' && (status?.disputed ?? false));
  const judged = known ? judge(figures, counted === null ? [] : [counted]) : UNKNOWN;
  return {
    ...baseOf(context, {
      id,
      title: titleFor(block, known, agrees, isClaim(counted?.basis ?? status?.cite.basis ?? 'unknown')),
      sub: `What each source says about feature ${feature}, ${titleOf(context, feature)}.`,
      evidence: [counted, ...figures].map((figure) => figure?.evidence ?? null),
      ...(disputed && judged.mark.state !== 'disputed'
        ? { ...judged, mark: { ...judged.mark, state: 'disputed' as const } }
        : judged),
    }),
    type: 'premise',
    columns: columns.map((fact) =>
      fact === 'status'
        ? { label: 'status', unit: 'none' }
        : { label: STORY[fact].label, unit: STORY[fact].unit },
    ),
    rows,
    counted: countedInlines(counted, status?.text ?? null, standing(story, asked)),
  };
}

function titleFor(block: PremiseBlock, known: boolean, agrees: boolean, claimOnly: boolean): string {
  const taken =
    block.measure === 'status'
      ? `The question takes feature ${block.feature ?? ''} as ${claimWords(block)}.`
      : `The question takes ${claimWords(block)} for granted.`;
  if (!known) return `${taken} The record does not say.`;
  if (!agrees) return `${taken} The record disagrees.`;
  return claimOnly ? `${taken} Only a claim says so.` : `${taken} It is counted so, but sources disagree.`;
}

function countedInlines(counted: Figure | null, status: string | null, who: string): Inline[] {
  const after = who === '' ? '' : ` ${who}`;
  if (counted?.value != null)
    return [text('Counted here: '), { kind: 'figure', figure: counted }, text(`.${after}`)];
  if (counted === null && status !== null) return [text(`Counted here: ${status}.${after}`)];
  return [text('No source of this record tells it.')];
}

/** A premise about the run as a whole: each source's own total, where sources tell one. */
async function runPremise(
  block: PremiseBlock,
  measure: Measure,
  id: string,
  context: ResolveContext,
): Promise<PremiseCard> {
  const query = single(measure.id, 'counted');
  const evidence = context.register({ kind: 'query', query, key: {} });
  const value = (await context.queries.run(query)).groups[0]?.values[0];
  const counted = value ? figureOf(measure, value, evidence) : null;
  const sources = context.profile.sources;
  const each =
    measure.fact === null
      ? []
      : (await context.queries.run({ ...single(measure.id, 'each'), by: 'source' })).groups;
  const rows = await Promise.all(
    each
      .flatMap((group) => {
        const source = sources.find(({ kind }) => kind === group.key);
        const told = group.values[0];
        return source && told && told.value !== null ? [{ source, told }] : [];
      })
      .map(async ({ source, told }): Promise<PremiseRow> => {
        const own = single(measure.id, source.kind);
        const evidence = context.register({ kind: 'query', query: own, key: {} });
        // A total stands nowhere; the first of its rows does.
        const first = compileRows(checkQuery(own), 0, {}, 1, context.queries.context);
        const [row] = await context.queries.rows(first.sql, first.params, 1);
        return {
          source: source.label,
          cite: {
            source: source.id,
            label: source.label,
            line: row ? citeOf(row).line : null,
            basis: told.basis,
          },
          basis: told.basis,
          counted: !isClaim(told.basis) && told.value === counted?.value,
          cells: [{ figures: [figureOf(measure, told, evidence)], join: 'then', missing: null }],
        };
      }),
  );
  const figures = rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.figures));
  return {
    ...baseOf(context, {
      id,
      title: titleFor(
        block,
        counted?.value != null,
        counted?.value === block.claimed.value,
        isClaim(counted?.basis ?? 'unknown'),
      ),
      sub: rows.length > 0 ? `What each source says about ${measure.label} of the run.` : null,
      evidence: [counted, ...figures].map((figure) => figure?.evidence ?? null),
      ...(counted?.value == null ? UNKNOWN : judge([...figures, counted], [counted])),
    }),
    type: 'premise',
    columns: [{ label: measure.label, unit: measure.unit }],
    rows,
    counted: countedInlines(counted, null, ''),
  };
}

/** What the question takes for granted beside what each source says, with the places they say it. */
export async function resolvePremise(
  block: PremiseBlock,
  id: string,
  context: ResolveContext,
): Promise<PremiseCard | null> {
  if (block.feature !== null) return featurePremise(block, block.feature, id, context);
  const measure = measureById(block.measure);
  return measure ? runPremise(block, measure, id, context) : null;
}
