import type { LedgerCard } from '../../../../shared/cards.ts';
import { REQUIREMENT_STATES } from '../../../../shared/outcomes.ts';
import { citeText } from '../basis.tsx';
import type { CsvRows } from '../CsvButton.tsx';

/** One line a requirement, its latest evidence beside it. */
export const ledgerCsv = (card: LedgerCard): CsvRows => ({
  header: [
    'group',
    'requirement',
    'text',
    'kind',
    'state',
    'claimed',
    'evidence',
    'latest evidence',
    'latest source',
    'source',
    'line',
  ],
  lines: card.groups.flatMap((group) =>
    group.rows.map((row) => {
      const [latest] = row.proof;
      return [
        group.ref ?? group.title,
        row.id,
        row.text,
        row.kind,
        REQUIREMENT_STATES[row.state],
        row.claimed === null ? null : row.claimed ? 'yes' : 'no',
        row.proofs,
        latest === undefined ? null : `${latest.polarity}: ${latest.says ?? latest.kind}`,
        latest === undefined ? null : citeText(latest.cite),
        row.cite.label,
        row.cite.line,
      ];
    }),
  ),
});
