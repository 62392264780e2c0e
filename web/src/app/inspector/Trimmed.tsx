import type { ReactNode } from 'react';
import { CODES, isCode } from '../../../../shared/codes.ts';
import type { Trace } from '../../../../shared/wire.ts';
import { keyed } from '../../cards/keyed.ts';

interface Entry {
  name: string;
  /** What happened to it. */
  did: 'refused' | 'trimmed';
  why: string;
  details: string[];
}

const whyOf = (code: string): string =>
  isCode(code) ? `${CODES[code].title}. ${CODES[code].says}` : `Left out (${code}).`;

/** What did not come through as it was written, and why. Pure. */
export function leftOut(trace: Trace): Entry[] {
  const entries: Entry[] = [];
  const { preamble, plan } = trace;
  if (plan.code !== null)
    entries.push({ name: 'The plan', did: 'refused', why: whyOf(plan.code), details: [] });
  if (preamble.code !== null || preamble.notes.length > 0)
    entries.push({
      name: 'Before the cards',
      did: preamble.code === null ? 'trimmed' : 'refused',
      why: preamble.code === null ? '' : whyOf(preamble.code),
      details: [...preamble.notes, ...preamble.issues],
    });
  for (const card of trace.cards) {
    if (card.code === null && card.notes.length === 0) continue;
    entries.push({
      name: card.title === null || card.title === '' ? card.card : `${card.card} · ${card.title}`,
      did: card.code === null ? 'trimmed' : 'refused',
      why: card.code === null ? '' : whyOf(card.code),
      details: [...card.notes, ...card.issues],
    });
  }
  return entries;
}

/** What the sanitizer trimmed or refused, block by block. */
export function Trimmed({ trace }: { trace: Trace }): ReactNode {
  const entries = leftOut(trace);
  return (
    <section>
      <h3>What was trimmed or refused, and why</h3>
      {entries.length === 0 ? (
        <p className="sub">Nothing. Every part of the plan came through as it was written.</p>
      ) : (
        <ul className="out">
          {keyed(entries, ({ name }) => name).map(({ key, item }) => (
            <li key={key}>
              <p>
                <b>{item.name}</b> <span className="did">{item.did}</span>
              </p>
              {item.why === '' ? null : <p className="sub">{item.why}</p>}
              {item.details.length === 0 ? null : (
                <ul>
                  {keyed(item.details, (detail) => detail).map((detail) => (
                    <li key={detail.key} className="mono">
                      {detail.item}
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
