import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { CardBase } from '../../../shared/cards.ts';
import type { CardChrome } from '../a2ui/types.ts';

interface ChangeProps {
  model: CardBase;
  card: CardChrome;
}

/** Whether a card can be changed by hand here. */
export const isChangeable = ({ controls }: CardBase, { change }: CardChrome): boolean =>
  change !== null && controls !== undefined && controls.length > 0;

/** Opens the controls of a card: what its query can do next, without a new question. */
export function ChangeMenu({ model, card }: ChangeProps): ReactNode {
  const id = useId();
  const { change } = card;
  const { controls } = model;
  if (change === null || controls === undefined || controls.length === 0) return null;
  return (
    <span className="change">
      <button
        type="button"
        className="how"
        aria-label={`Change this card: ${model.title}`}
        title="Change this card"
        popoverTarget={id}
      >
        <SlidersHorizontal className="i" aria-hidden="true" />
        <span className="only-l" aria-hidden="true">
          Change
        </span>
      </button>
      <section id={id} popover="auto" className="pop change-pop" aria-label={`Change: ${model.title}`}>
        {controls.map((control) => (
          <div key={control.id}>
            <label htmlFor={`${id}-${control.id}`}>{control.label}</label>
            <select
              id={`${id}-${control.id}`}
              value={control.value}
              disabled={card.busy}
              onChange={(event) => change(control.id, event.target.value)}
            >
              {control.options.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        ))}
      </section>
    </span>
  );
}

/** What was changed on a card, and the way back. */
export function Changed({ model, card }: ChangeProps): ReactNode {
  const { change } = card;
  if (model.changed === undefined) return null;
  return (
    <p className="changed">
      <span>Changed here. {model.changed}.</span>
      {change === null ? null : (
        <button type="button" className="link" onClick={() => change(null, '')}>
          Put back
        </button>
      )}
    </p>
  );
}
