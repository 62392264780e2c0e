import { type ReactNode, useMemo } from 'react';
import type { Paragraph } from '../../../shared/cards.ts';
import type { CardChrome } from '../a2ui/types.ts';
import { Prose } from '../cards/prose.tsx';
import { evidenceIds } from '../lib/figures.ts';
import type { ChatActions } from './actions.ts';

interface SaidProps {
  paragraphs: readonly Paragraph[];
  actions: ChatActions;
}

/** The words of an answer in the chat; every figure in them opens what is behind it. Nothing when there are none. */
export function Said({ paragraphs, actions }: SaidProps): ReactNode {
  const chrome = useMemo<Pick<CardChrome, 'openFigure'>>(() => {
    const siblings = evidenceIds(paragraphs);
    return {
      openFigure: (queryId, label) =>
        actions.openEvidence({
          queryId,
          label: label ?? null,
          siblings: siblings.includes(queryId) ? siblings : [queryId, ...siblings],
          mark: null,
        }),
    };
  }, [paragraphs, actions]);
  if (paragraphs.length === 0) return null;
  return (
    <div className="say">
      <Prose paragraphs={paragraphs} chrome={chrome} />
    </div>
  );
}
