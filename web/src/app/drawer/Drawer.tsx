import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Figure } from '../../../../shared/cards.ts';
import { rowsAsCsv } from '../../../../shared/csv.ts';
import type { Evidence } from '../../../../shared/wire.ts';
import type { EvidenceRequest } from '../../a2ui/page-context.ts';
import { BasisTag } from '../../cards/basis.tsx';
import { figureParts } from '../../cards/format.ts';
import { MarkTag } from '../../cards/mark.tsx';
import { Shape } from '../../cards/shape.tsx';
import { copyText } from '../../lib/clipboard.ts';
import { figureHash } from '../../lib/figure-hash.ts';
import { parseRoute, routePath } from '../route.ts';
import { SidePanel } from '../SidePanel.tsx';
import { Query } from './Query.tsx';
import { RawLines } from './RawLines.tsx';
import { Rows } from './Rows.tsx';
import { useEvidence } from './use-evidence.ts';

interface DrawerProps {
  request: EvidenceRequest;
  /** The answer is played from a file, without its record. */
  replay: boolean;
  onClose(): void;
  onStep(queryId: string): void;
}

/**
 * What is behind a figure: in words, as a query, its rows, and the lines of the files they came from.
 * Beside the page on a wide screen, where the page stays in use; the whole screen on a phone, where it does not.
 */
export function Drawer({ request, replay, onClose, onStep }: DrawerProps): ReactNode {
  const loaded = useEvidence(request.queryId);

  return (
    <SidePanel labelledBy="drawer-title" onClose={onClose}>
      <DrawerHead
        request={request}
        evidence={loaded.state === 'there' ? loaded.evidence : null}
        onClose={onClose}
        onStep={onStep}
      />
      <div className="db" aria-busy={loaded.state === 'loading'}>
        {loaded.state === 'missing' ? (
          <p className="quiet">
            {replay
              ? 'This answer is played from a file, which holds the answer but not the record behind it.'
              : 'What is behind this figure is not kept any more, or Looplight does not answer. Ask the question again to see it.'}
          </p>
        ) : null}
        {loaded.state === 'there' ? <DrawerBody evidence={loaded.evidence} request={request} /> : null}
      </div>
    </SidePanel>
  );
}

interface HeadProps {
  request: EvidenceRequest;
  evidence: Evidence | null;
  onClose(): void;
  onStep(queryId: string): void;
}

function DrawerHead({ request, evidence, onClose, onStep }: HeadProps): ReactNode {
  const { siblings, queryId } = request;
  const at = siblings.indexOf(queryId);
  const step = (by: number) => {
    const next = siblings[at + by];
    if (next !== undefined) onStep(next);
  };
  const figure = evidence?.figure ?? null;
  const parts = figure === null || figure.value === null ? null : figureParts(figure);
  return (
    <div className="dh">
      <div className="row">
        <h2 id="drawer-title">How was this computed</h2>
        <span className="r">
          {siblings.length < 2 ? null : (
            <>
              <span className="where">
                query {at + 1} of {siblings.length}
              </span>
              <button
                type="button"
                className="ib"
                aria-label="Previous figure"
                disabled={at <= 0}
                onClick={() => step(-1)}
              >
                <ChevronLeft className="i" aria-hidden="true" />
              </button>
              <button
                type="button"
                className="ib"
                aria-label="Next figure"
                disabled={at >= siblings.length - 1}
                onClick={() => step(1)}
              >
                <ChevronRight className="i" aria-hidden="true" />
              </button>
            </>
          )}
          <button type="button" className="ib" aria-label="Close" onClick={onClose}>
            <X className="i" aria-hidden="true" />
          </button>
        </span>
      </div>
      <div className="v">
        {parts === null ? null : (
          <b>
            {parts.value}
            {parts.unit === '' ? null : <small>{parts.unit}</small>}
          </b>
        )}
        <span>{evidence?.title || request.label}</span>
        <FigureState figure={figure} request={request} />
      </div>
    </div>
  );
}

/** How sure the figure itself is; the mark of its card only where there is no figure. */
function FigureState({ figure, request }: { figure: Figure | null; request: EvidenceRequest }): ReactNode {
  if (figure === null) return request.mark === null ? null : <MarkTag mark={request.mark} />;
  return (
    <span className="mark">
      <BasisTag basis={figure.basis} />
      {figure.disputed ? (
        <>
          <Shape name="diamond" />
          disputed
        </>
      ) : null}
    </span>
  );
}

function DrawerBody({ evidence, request }: { evidence: Evidence; request: EvidenceRequest }): ReactNode {
  const why = request.mark?.why ?? null;
  const page = parseRoute(location.pathname);
  return (
    <>
      {evidence.words === '' ? null : (
        <section>
          <h3>In words</h3>
          <p className="words">{evidence.words}</p>
          {evidence.project === undefined ? null : <p>In the record of {evidence.project.name}.</p>}
        </section>
      )}
      <Query evidence={evidence} />
      <Rows evidence={evidence} />
      <RawLines raw={evidence.raw} />
      {why === null ? null : (
        <section>
          <h3>About its card</h3>
          <p>{why}</p>
        </section>
      )}
      <div className="da">
        {evidence.rows.length === 0 ? null : (
          <>
            <a
              className="btn"
              href={`/api/evidence/${encodeURIComponent(evidence.id)}.csv`}
              download={`looplight-${evidence.id}.csv`}
            >
              {evidence.total > evidence.rows.length
                ? `All ${evidence.total} rows as CSV`
                : 'The rows as CSV'}
            </a>
            <CopyButton label="Copy the rows as CSV" text={() => rowsAsCsv(evidence.rows, evidence.total)} />
          </>
        )}
        {page.view === 'start' ? null : (
          <CopyButton
            label="Copy link to this figure"
            text={() => `${location.origin}${routePath(page)}${figureHash(request.queryId)}`}
          />
        )}
      </div>
    </>
  );
}

function CopyButton({ label, text }: { label: string; text: () => string }): ReactNode {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <button
      type="button"
      className="btn"
      onClick={() =>
        void copyText(text()).then((done) => setSaid(done ? 'Copied' : 'The browser did not allow it'))
      }
    >
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}
