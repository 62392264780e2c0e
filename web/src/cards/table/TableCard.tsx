import type { ReactNode } from 'react';
import type { ConflictCard, TableCard } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { CardFrame } from '../frame.tsx';
import { DataTable } from './DataTable.tsx';

interface TableViewProps<M> {
  model: M;
  card: CardChrome;
}

/** Records in rows. */
export function TableView({ model, card }: TableViewProps<TableCard>): ReactNode {
  return (
    <CardFrame model={withCount(model)} card={card} kind="table">
      <Body model={model} card={card} />
    </CardFrame>
  );
}

/** What sources disagree about: the claim on the left of each arrow, what is counted on the right. */
export function ConflictView({ model, card }: TableViewProps<ConflictCard>): ReactNode {
  return (
    <CardFrame model={withCount(model)} card={card} kind="conflict">
      <Body model={model} card={card} />
    </CardFrame>
  );
}

function Body({ model, card }: TableViewProps<TableCard | ConflictCard>): ReactNode {
  if (model.rows.length === 0) return <p className="quiet">No row to show.</p>;
  return <DataTable caption={model.title} columns={model.columns} rows={model.rows} card={card} />;
}

/** Says how many rows are shown when there are more, unless the card says it already. */
const withCount = <M extends TableCard | ConflictCard>(model: M): M =>
  model.trimmed === null && model.total > model.rows.length
    ? { ...model, trimmed: `${model.rows.length} of ${model.total} shown` }
    : model;
