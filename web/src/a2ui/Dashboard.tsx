import { createComponentImplementation } from '@a2ui/react/v0_9';
import { childList } from '@a2ui/web_core/v0_9';
import { useContext, useLayoutEffect } from 'react';
import { z } from 'zod';
import { ROOT_COMPONENT } from '../../../shared/catalog.ts';
import { boundValue } from './define-card.tsx';
import { childIds, readLayout } from './layout.ts';
import { DrawnContext } from './page-context.ts';

const schema = z.object({ children: childList(), layout: boundValue });

/**
 * The root of every surface: twelve columns, each card in the span that `/layout` gives it,
 * and a dashed slot for a card that is on its way but not yet named.
 */
export const Dashboard = createComponentImplementation(
  { name: ROOT_COMPONENT, schema },
  ({ props, buildChild }) => {
    const drawn = useContext(DrawnContext);
    useLayoutEffect(() => drawn(), [drawn]);
    const ids = childIds(props.children);
    const { span, slot } = readLayout(props.layout);
    return (
      <div className="grid">
        {ids.map((id) => (
          <div key={id} className={`cell w${span(id)}`} data-card={id}>
            {buildChild(id)}
          </div>
        ))}
        {slot === 0 ? null : (
          <div className={`slot w${slot}`}>card {ids.length + 1}, title not yet known</div>
        )}
      </div>
    );
  },
);
