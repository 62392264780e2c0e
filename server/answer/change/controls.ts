import { capital } from '../../../shared/capital.ts';
import type { Control, ControlOption } from '../../../shared/cards.ts';
import type { Block, Where } from '../../../shared/plan.ts';
import { TABLE_COLUMNS, type TableKind } from '../../metrics/columns.ts';
import { dimensionById, HARNESS_DIMENSIONS } from '../../metrics/dimensions.ts';
import { fits } from '../../metrics/fit.ts';
import { HARNESS_MEASURES, type Measure, measureById } from '../../metrics/measures.ts';
import type { RecordProfile } from '../../record/store.ts';

/** Most options of one control: more of them nobody reads through. */
const MOST = 40;

const isMeasure = (measure: Measure | undefined): measure is Measure => measure !== undefined;

/** A control with at least one other choice; null where there is nothing to choose. */
function control(
  id: string,
  label: string,
  value: string,
  options: readonly ControlOption[],
): Control | null {
  const offered = options.slice(0, MOST);
  if (!offered.some((option) => option.value !== value)) return null;
  const known = offered.some((option) => option.value === value);
  return { id, label, value, options: known ? offered : [{ value, label: capital(value) }, ...offered] };
}

const SIZES: readonly ControlOption[] = [
  { value: 'few', label: 'A few' },
  { value: 'some', label: 'Some' },
  { value: 'all', label: 'All' },
];
const ORDERS: readonly ControlOption[] = [
  { value: 'natural', label: 'As they come' },
  { value: 'largest', label: 'Largest first' },
  { value: 'smallest', label: 'Smallest first' },
];

/** The only category a card is kept to, or '' for all of them. */
export function onlyCategory(where: readonly Where[]): string {
  const [only] = where.flatMap((one) =>
    one.type === 'in' && one.dim === 'category' && !one.not && one.any_of.length === 1 ? one.any_of : [],
  );
  return only ?? '';
}

function categoryControl(where: readonly Where[], profile: RecordProfile): Control | null {
  if (profile.categories.length < 2) return null;
  return control('category', 'Only', onlyCategory(where), [
    { value: '', label: 'Every category' },
    ...profile.categories.map((category) => ({ value: category, label: capital(category) })),
  ]);
}

/** Whether the record has anything that fills a measure. */
const told = ({ fact }: Measure, { facts }: RecordProfile): boolean =>
  fact === null || facts === undefined || facts.includes(fact);

function chartControls(block: Extract<Block, { type: 'chart' }>, profile: RecordProfile): (Control | null)[] {
  const measures = block.measures.map(({ measure }) => measureById(measure)).filter(isMeasure);
  const [first] = measures;
  const by = dimensionById(block.by);
  if (first === undefined || by === undefined) return [];
  const others = HARNESS_MEASURES.filter(
    (measure) => measure.base === first.base && fits(measure, by) && told(measure, profile),
  );
  const groupings = HARNESS_DIMENSIONS.filter(({ id }) => id !== 'project' && id !== 'source').filter(
    (dimension) => measures.every((measure) => fits(measure, dimension)),
  );
  const ordered = by.kind !== 'category';
  return [
    measures.length === 1
      ? control(
          'measure',
          'Figure',
          first.id,
          others.map(({ id, label }) => ({ value: id, label: capital(label) })),
        )
      : null,
    control(
      'by',
      'By',
      block.by,
      groupings.map(({ id, label }) => ({ value: id, label: capital(label) })),
    ),
    control('draw', 'Drawn as', block.draw, [
      { value: 'bar', label: 'Bars' },
      ...(ordered ? [{ value: 'line', label: 'A line' }] : []),
      ...(measures.length === 1 && first.additive && !ordered ? [{ value: 'donut', label: 'Shares' }] : []),
    ]),
    control('order', 'Order', block.order, ORDERS),
    control('size', 'How many', block.size, SIZES),
  ];
}

function tableControls(block: Extract<Block, { type: TableKind }>): (Control | null)[] {
  const columns = TABLE_COLUMNS[block.type].filter(({ id }) => block.columns.includes(id));
  return [
    control('order_by', 'Ordered by', block.order_by ?? '', [
      { value: '', label: 'As they come' },
      ...columns.map(({ id, label }) => ({ value: id, label: capital(label) })),
    ]),
    control('order', 'Order', block.order, ORDERS),
    control('size', 'How many', block.size, SIZES),
  ];
}

/**
 * What can be changed on a card by hand: everything its query has another value for that works. Made of the semantic layer,
 * so that no choice leads nowhere. Pure; none for cards that hold no query of their own.
 */
export function controlsOf(block: Block, profile: RecordProfile): Control[] {
  const own = ((): (Control | null)[] => {
    switch (block.type) {
      case 'chart':
        return chartControls(block, profile);
      case 'feature_table':
      case 'commit_table':
      case 'finding_table':
      case 'gate_table':
        return tableControls(block);
      case 'ledger':
        return [
          control('group', 'Grouped by', block.group, [
            { value: 'state', label: 'State of proof' },
            { value: 'feature', label: 'Feature' },
            { value: 'use_case', label: 'Use case' },
          ]),
        ];
      case 'log':
        return [control('size', 'How many', block.size, SIZES)];
      default:
        return [];
    }
  })();
  const filtered = 'where' in block && block.type !== 'project_table' && block.type !== 'commit_table';
  return [...own, filtered ? categoryControl(block.where, profile) : null].filter(
    (one): one is Control => one !== null,
  );
}
