import { type ReactNode, useMemo, useState } from 'react';
import type { LedgerCard, LedgerGroup } from '../../../../shared/cards.ts';
import { REQUIREMENT_STATES, type RequirementState } from '../../../../shared/outcomes.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { CsvButton } from '../CsvButton.tsx';
import { FigureText } from '../figure.tsx';
import { CardFrame } from '../frame.tsx';
import { keyed } from '../keyed.ts';
import { StateGlyph } from '../outcome/StateGlyph.tsx';
import { ledgerCsv } from './as-csv.ts';
import { Requirement } from './Requirement.tsx';
import { StateBar } from './StateBar.tsx';

interface LedgerViewProps {
  model: LedgerCard;
  card: CardChrome;
}

/** Requirements up to which every group stands open from the start. */
const OPEN_ALL = 24;
/** States that ask for a look: a group that has one stands open. */
const ATTENTION: ReadonlySet<RequirementState> = new Set(['refuted', 'claimed_only', 'stale']);

/** Requirements by how far they are proven: the shares, all of them as one bar, and each with its evidence. */
export function LedgerView({ model, card }: LedgerViewProps): ReactNode {
  const [only, setOnly] = useState<RequirementState | null>(null);
  const all = useMemo(() => model.groups.reduce((sum, { rows }) => sum + rows.length, 0), [model]);
  const groups = useMemo(
    () =>
      model.groups
        .map((group) => ({ ...group, rows: group.rows.filter((row) => only === null || row.state === only) }))
        .filter(({ rows }) => only === null || rows.length > 0),
    [model, only],
  );
  return (
    <CardFrame
      model={model}
      card={card}
      kind="ledger"
      extra={<CsvButton title={model.title} rows={() => ledgerCsv(model)} />}
    >
      <Shares model={model} card={card} />
      <StateBar states={model.states} />
      <States model={model} only={only} onOnly={setOnly} card={card} />
      {model.groups.length === 0 ? <p className="quiet">No requirement to show.</p> : null}
      {keyed(groups, ({ ref, title }) => ref ?? title).map(({ key, item }) => (
        <Group
          key={`${only ?? ''} ${key}`}
          group={item}
          open={all <= OPEN_ALL || only !== null || item.counts.some(({ state }) => ATTENTION.has(state))}
          zone={model.zone}
          card={card}
        />
      ))}
    </CardFrame>
  );
}

/** The shares as they are computed, large; as sources show them themselves, beside. */
function Shares({ model, card }: LedgerViewProps): ReactNode {
  if (model.shares.length === 0) return null;
  return (
    <dl className="le-shares">
      {keyed(model.shares, ({ label }) => label).map(({ key, item }) => (
        <div key={key} className={item.label.includes(',') ? 'told' : undefined}>
          <dt>{item.label}</dt>
          <dd>
            <FigureText
              figure={item.figure}
              onOpen={card.openFigure}
              label={item.label}
              show={item.label.includes(',') ? 'full' : 'large'}
            />
          </dd>
        </div>
      ))}
      <div className="le-total">
        <dt>in all</dt>
        <dd>
          <FigureText figure={model.total} onOpen={card.openFigure} label="requirements" />
        </dd>
      </div>
    </dl>
  );
}

interface StatesProps extends LedgerViewProps {
  only: RequirementState | null;
  onOnly(state: RequirementState | null): void;
}

/** Each state with its shape, its word and its figure; pressing the word leaves its requirements. */
function States({ model, only, onOnly, card }: StatesProps): ReactNode {
  return (
    <ul className="le-states" aria-label="States of proof">
      {model.states.map(({ state, figure }) => (
        <li key={state}>
          <button
            type="button"
            className="le-state"
            aria-pressed={only === state}
            title={`Show only what is ${REQUIREMENT_STATES[state]}`}
            onClick={() => onOnly(only === state ? null : state)}
          >
            <StateGlyph state={state} />
            {REQUIREMENT_STATES[state]}
          </button>{' '}
          <FigureText
            figure={figure}
            onOpen={card.openFigure}
            label={REQUIREMENT_STATES[state]}
            show="bare"
          />
        </li>
      ))}
    </ul>
  );
}

interface GroupProps {
  group: LedgerGroup;
  open: boolean;
  zone: string;
  card: CardChrome;
}

/** "2 proven, 1 refuted" */
const countWords = ({ counts }: LedgerGroup): string =>
  counts.map(({ state, count }) => `${count} ${REQUIREMENT_STATES[state]}`).join(', ');

function Group({ group, open, zone, card }: GroupProps): ReactNode {
  const hidden = group.total - group.rows.length;
  return (
    <details className="le-group" open={open}>
      <summary>
        <span className="le-name">
          {group.ref === null ? null : <span className="le-ref">{group.ref}</span>}
          {group.title === group.ref ? null : group.title}
        </span>
        <span className="le-counts">{countWords(group)}</span>
      </summary>
      <ul>
        {keyed(group.rows, ({ id }) => id).map(({ key, item }) => (
          <Requirement key={key} row={item} zone={zone} card={card} />
        ))}
      </ul>
      {hidden > 0 && group.rows.length > 0 ? (
        <p className="le-more">
          {group.rows.length} of {group.total} shown
        </p>
      ) : null}
    </details>
  );
}
