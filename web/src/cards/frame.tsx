import { ListTree, Pin } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { Button, CardBase } from '../../../shared/cards.ts';
import type { CardChrome } from '../a2ui/types.ts';
import { Changed, ChangeMenu, isChangeable } from './ChangeMenu.tsx';
import { keyed } from './keyed.ts';
import { MarkTag, Rule } from './mark.tsx';

interface CardFrameProps {
  model: CardBase;
  card: CardChrome;
  /** Names the kind of card for the style sheet. */
  kind: string;
  /** `statement` sets the title as a sentence in serif. */
  title?: 'plain' | 'statement';
  /** `head` puts "How was this computed" beside the mark; the card then has a foot only for its buttons. */
  how?: 'foot' | 'head';
  /** Stands in the foot before "How was this computed". */
  extra?: ReactNode;
  children: ReactNode;
}

/** What every card has: the rule that tells its state, title, sub, mark, at most two buttons, and how it was computed. */
export function CardFrame(props: CardFrameProps): ReactNode {
  const { model, card, kind, title = 'plain', how = 'foot', extra, children } = props;
  const titleId = useId();
  const { mark, actions } = model;
  const footHow = how === 'foot' && model.evidence.length > 0;
  const foot = actions.length > 0 || footHow || extra !== undefined;
  const changeable = isChangeable(model, card);
  return (
    <section className={`card card-${kind}${foot ? '' : ' tight'}`} aria-labelledby={titleId}>
      <Rule mark={mark} rule={model.rule} />
      <div className={title === 'statement' ? 'ch big' : 'ch'}>
        <div>
          <h2 id={titleId} className={title === 'statement' ? 'lead' : undefined}>
            {model.title}
          </h2>
          <Sub sub={model.sub} trimmed={model.trimmed} />
        </div>
        {how === 'head' ? <How model={model} card={card} /> : null}
        {foot && how === 'foot' ? null : <PinButton title={model.title} card={card} />}
        <MarkTag mark={mark} />
      </div>
      <Changed model={model} card={card} />
      {children}
      {foot ? (
        <div className="cf">
          <Buttons actions={actions} card={card} />
          <span className="cf-end">
            {changeable ? <ChangeMenu model={model} card={card} /> : null}
            {extra}
            {how === 'foot' ? <PinButton title={model.title} card={card} /> : null}
            {footHow ? <How model={model} card={card} /> : null}
          </span>
        </div>
      ) : null}
    </section>
  );
}

function Sub({ sub, trimmed }: { sub: string | null; trimmed: string | null }): ReactNode {
  if (sub === null && trimmed === null) return null;
  return (
    <p className="sub">
      {sub}
      {sub !== null && trimmed !== null ? ' ' : null}
      {trimmed === null ? null : <span className="trimmed">{sentence(trimmed)}</span>}
    </p>
  );
}

const sentence = (text: string): string => (/[.…]$/.test(text) ? text : `${text}.`);

/** Buttons of a card. The label is what is read; the whole question it asks is in the title. */
export function Buttons({ actions, card }: { actions: readonly Button[]; card: CardChrome }): ReactNode {
  return keyed(actions, (action) => action.label).map(({ key, item }) => (
    <button
      key={key}
      type="button"
      className="btn"
      title={item.request}
      disabled={card.busy}
      onClick={() => card.ask(item.label, item.request)}
    >
      <span>{item.label}</span>
    </button>
  ));
}

/** Stands there from the beginning, so that nothing moves when the card can be pinned. */
function PinButton({ title, card: { pin } }: { title: string; card: CardChrome }): ReactNode {
  if (pin === null) return null;
  return (
    <button
      type="button"
      className="how pin"
      aria-label={`Pin this card: ${title}`}
      title="Pin this card to a board"
      disabled={!pin.ready}
      onClick={() => pin.open(title)}
    >
      <Pin className="i" aria-hidden="true" />
    </button>
  );
}

function How({ model, card }: { model: CardBase; card: CardChrome }): ReactNode {
  const [query] = model.evidence;
  if (query === undefined) return null;
  return (
    <button
      type="button"
      className="how"
      aria-label={`How was this computed: ${model.title}`}
      onClick={() => card.openEvidence(query, model.title)}
    >
      <ListTree className="i" aria-hidden="true" />
      <span className="only-l" aria-hidden="true">
        How was this computed
      </span>
      <span className="only-s" aria-hidden="true">
        How
      </span>
    </button>
  );
}
