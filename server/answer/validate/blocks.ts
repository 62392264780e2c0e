import { LIMITS } from '../../../shared/limits.ts';
import type {
  AttemptsBlock,
  Block,
  ChartBlock,
  LedgerBlock,
  LogBlock,
  NoteBlock,
  StatBlock,
  TableBlock,
  TimelineBlock,
} from '../../../shared/plan.ts';
import { columnOf } from '../../metrics/columns.ts';
import { measureById } from '../../metrics/measures.ts';
import { single } from '../../metrics/query.ts';
import { TIMED } from '../../metrics/timed.ts';
import { whereOf } from '../resolve/context.ts';
import { type BlockContext, type Issue, quoted, unbound } from './issue.ts';
import { sentenceIssues, textIssues } from './mentions.ts';
import { columnIssues, queryIssues, rowsQuery, valueIssues } from './queries.ts';

function statIssues(block: StatBlock, context: BlockContext): Issue[] {
  return block.figures.flatMap(({ fact, compare_to, label, caption }, index): Issue[] => {
    const at = `figures[${index}]`;
    const names = compare_to === null ? [fact] : [fact, compare_to];
    return [
      ...names
        .filter((name) => !context.facts.has(name))
        .map((name) => unbound(at, `There is no fact ${quoted(name)}.`, 'part')),
      ...(fact === compare_to ? [unbound(at, 'A figure set against itself says nothing.', 'nothing')] : []),
      ...textIssues(label, at, context, 'nothing'),
      ...textIssues(caption, at, context, 'nothing'),
    ];
  });
}

function chartIssues(block: ChartBlock, context: BlockContext): Issue[] {
  const where = whereOf(context.about, block.scope, block.where);
  const { measures, by, split, order } = block;
  const issues = [
    ...queryIssues({ measures, by, split, where, order, limit: null }, 'measures'),
    ...valueIssues(block.where, 'where', context.profile),
  ];
  if (issues.some(({ costs }) => costs === 'card')) return issues;
  const [first, ...others] = measures;
  const measure = first && measureById(first.measure);
  // One scale never carries two units.
  for (const [index, ref] of others.entries())
    if (measureById(ref.measure)?.unit !== measure?.unit)
      issues.push({
        path: `measures[${index + 1}]`,
        code: 'block_incompatible',
        says: `${quoted(ref.measure)} has another unit than ${quoted(first?.measure ?? '')}: draw it in a chart of its own.`,
        costs: 'part',
      });
  if (block.draw === 'donut' && measure) {
    if (!measure.additive || first?.source === 'each' || by === 'source')
      issues.push({
        path: 'draw',
        code: 'donut_not_additive',
        says: `${quoted(measure.id)} does not add up to a whole this way: draw bars.`,
        costs: 'card',
      });
    else if (others.length > 0 || split !== null)
      issues.push({
        path: 'draw',
        code: 'block_incompatible',
        says: 'A donut shows one measure by one grouping.',
        costs: 'nothing',
      });
  }
  return issues;
}

function attemptsIssues(block: AttemptsBlock, { profile }: BlockContext): Issue[] {
  // The card itself says that there is no such feature.
  return profile.features.some(({ id }) => id === block.feature)
    ? []
    : [unbound('feature', `There is no feature ${quoted(block.feature)}.`, 'nothing')];
}

function tableIssues(block: TableBlock, context: BlockContext): Issue[] {
  const where = whereOf(context.about, block.scope, block.where);
  const { type, columns, order_by } = block;
  return [
    ...columnIssues(type, columns, 'columns'),
    ...(order_by === null || columnOf(type, order_by)
      ? []
      : [unbound('order_by', `This table has no column ${quoted(order_by)}.`, 'part')]),
    ...queryIssues(rowsQuery(type, where), 'where'),
    ...valueIssues(block.where, 'where', context.profile),
  ];
}

/** What counts the rows of a ledger, a log or a timeline; its filters have to fit the block's. */
function rowMeasure(block: LedgerBlock | LogBlock | TimelineBlock): string {
  if (block.type === 'timeline') return TIMED[block.of];
  return block.type === 'ledger' ? 'requirements' : 'log_entries';
}

const scopeIssues = (block: LedgerBlock | LogBlock | TimelineBlock, context: BlockContext): Issue[] => [
  ...queryIssues(
    single(rowMeasure(block), 'counted', whereOf(context.about, block.scope, block.where)),
    'where',
  ),
  ...valueIssues(block.where, 'where', context.profile),
];

const noteIssues = (block: NoteBlock, context: BlockContext): Issue[] =>
  sentenceIssues(block.body, 'body', context);

function ownIssues(block: Block, context: BlockContext): Issue[] {
  switch (block.type) {
    case 'stat':
      return statIssues(block, context);
    case 'chart':
      return chartIssues(block, context);
    case 'attempts':
      return attemptsIssues(block, context);
    case 'note':
      return noteIssues(block, context);
    case 'ledger':
    case 'log':
    case 'timeline':
      return scopeIssues(block, context);
    default:
      return tableIssues(block, context);
  }
}

/**
 * Everything in one block that does not hold: names that do not exist, things that do not go together.
 * @returns issues with paths relative to the block; none for a block that can be painted as it is
 */
export function validateBlock(block: Block, context: BlockContext): Issue[] {
  const buttons: Issue[] =
    block.actions.length > LIMITS.actions
      ? [
          {
            path: 'actions',
            code: 'block_invalid',
            says: `A card has at most ${LIMITS.actions} buttons.`,
            costs: 'nothing',
          },
        ]
      : [];
  return [...textIssues(block.title, 'title', context, 'part'), ...ownIssues(block, context), ...buttons];
}
