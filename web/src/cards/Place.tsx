import type { ReactNode } from 'react';
import type { Cite } from '../../../shared/cards.ts';
import type { CardChrome } from '../a2ui/types.ts';

interface PlaceProps {
  cite: Cite;
  /** Last line of what goes over several. */
  lastLine?: number | null;
  /** Query id that opens the lines; null where nothing opens. */
  open: string | null;
  /** What is opened, before the place: "Open the raw lines". */
  says: string;
  card: Pick<CardChrome, 'openFigure'>;
}

/** A place in a source as people name it: "activity.log:44–46". */
export function placeText({ label, line }: Cite, lastLine: number | null = null): string {
  if (line === null || label.endsWith(`:${line}`)) return label;
  return `${label}:${line}${lastLine === null || lastLine === line ? '' : `–${lastLine}`}`;
}

/** Where something stands; opens its raw lines. A long path is cut at its beginning: its end tells more. */
export function Place({ cite, lastLine = null, open, says, card }: PlaceProps): ReactNode {
  const place = placeText(cite, lastLine);
  const file = place.startsWith(`${cite.label}:`) ? cite.label : place;
  const content = (
    <>
      <span className="place-file">
        <bdi>{file}</bdi>
      </span>
      <span>{place.slice(file.length)}</span>
    </>
  );
  if (open === null)
    return (
      <span className="place mono" title={place}>
        {content}
      </span>
    );
  return (
    <button
      type="button"
      className="place mono"
      aria-label={`${says}, ${place}`}
      title={place}
      onClick={() => card.openFigure(open, place)}
    >
      {content}
    </button>
  );
}
