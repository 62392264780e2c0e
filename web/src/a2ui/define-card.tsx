import { createComponentImplementation, type ReactComponentImplementation } from '@a2ui/react/v0_9';
import { DataBindingSchema } from '@a2ui/web_core/v0_9';
import { type ReactNode, Suspense, useCallback, useContext, useMemo } from 'react';
import { z } from 'zod';
import { REFINE } from '../../../shared/catalog.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { CardBoundary } from './card-boundary.tsx';
import { evidenceOf, markOf } from './card-meta.ts';
import { PageContext } from './page-context.ts';
import type { CardChrome, CardDefinition } from './types.ts';

export type { CardChrome, CardDefinition } from './types.ts';

/** A union with an object that has `path`: the form the A2UI binder takes for a bound property. */
export const boundValue = z.union([z.record(z.unknown()), DataBindingSchema]);
/** Cards of the plan's own blocks; those the server adds belong to their answer. */
const PLANNED = /^c\d{1,2}$/;
const cardSchema = z.object({ spec: boundValue });

/**
 * Makes one component of the catalog out of a reader and a view.
 * The whole content of the card is one opaque bound value, `spec`; it is read once for each new value.
 * A failure of the reader or of the view stays inside this card and is reported to the page.
 * @param definition name in the catalog, reader (anything in, never throws) and view
 */
export function defineCard<M>(definition: CardDefinition<M>): ReactComponentImplementation {
  const { name } = definition;
  return createComponentImplementation({ name, schema: cardSchema }, ({ props, context }) => {
    const spec: unknown = props.spec;
    const page = useContext(PageContext);
    const cardId = context.componentModel.id;
    const surfaceId = context.dataContext.surface.id;
    const { pinCard, changeCard } = page;

    const card = useMemo<CardChrome>(() => {
      const open = (queryId: string, label?: string) =>
        page.openEvidence({
          queryId,
          label: label ?? null,
          siblings: evidenceOf(spec, queryId),
          mark: markOf(spec),
        });
      return {
        ask(label, request) {
          void context.dispatchAction({
            event: {
              name: REFINE,
              context: { label: label.slice(0, LIMITS.label), request: request.slice(0, LIMITS.question) },
            },
          });
        },
        openEvidence: open,
        openFigure: open,
        busy: page.busy,
        change:
          changeCard === undefined || !PLANNED.test(cardId)
            ? null
            : (control, value) => changeCard.apply(cardId, control, value),
        pin:
          pinCard === undefined || !PLANNED.test(cardId)
            ? null
            : { ready: pinCard.ready, open: (title: string) => pinCard.open(cardId, title) },
      };
    }, [context, page, spec, cardId, pinCard, changeCard]);

    const draw = useCallback(
      (data: unknown) => <Drawing definition={definition} spec={data} card={card} />,
      [card],
    );
    const onFailure = useCallback(
      (error: unknown) => page.cardFailed(surfaceId, cardId, error),
      [page, surfaceId, cardId],
    );
    return (
      <Suspense fallback={null}>
        <CardBoundary spec={spec} draw={draw} onFailure={onFailure} />
      </Suspense>
    );
  });
}

interface DrawingProps<M> {
  definition: CardDefinition<M>;
  spec: unknown;
  card: CardChrome;
}

function Drawing<M>({ definition, spec, card }: DrawingProps<M>): ReactNode {
  const model = useMemo(() => definition.read(spec), [definition, spec]);
  return <definition.View model={model} card={card} />;
}
