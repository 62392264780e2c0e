import { RULES } from '../record/audit/index.ts';
import { numberAt, textAt } from '../record/cells.ts';
import type { Severity } from '../record/ingest/issue.ts';
import type { Row, Store } from '../record/store.ts';
import type { Project } from '../workspace/project.ts';
import type { FailOn } from './command.ts';
import { printable } from './progress.ts';

/** A finding as it is printed. */
export interface PrintedFinding {
  id: string;
  rule: string;
  /** What the rule looks for. */
  sentence: string;
  severity: Severity;
  says: string;
  /** Number or id of the feature, null when it is about the run. */
  feature: string | null;
  /** The lines it rests on; `line` is null where a source has none. */
  rows: { file: string; line: number | null }[];
}

export interface AuditedProject {
  id: string;
  name: string;
  findings: PrintedFinding[];
}

/** Findings, and lines they rest on, that are printed, and the wait for them: nobody waits for an audit as for an answer. */
const FINDINGS = 200_000;
const ROWS = 1_000_000;
const WAIT_MS = 60_000;
const LINES = 12;

const SEVERITIES: readonly Severity[] = ['info', 'warning', 'error'];
const severityOf = (row: Row): Severity =>
  SEVERITIES.find((severity) => severity === textAt(row, 'severity')) ?? 'info';

async function findingsOf(store: Store): Promise<PrintedFinding[]> {
  const [found, places] = await Promise.all([
    store.query(
      `SELECT d.finding_id, d.rule, d.severity, d.says, f.ext_id AS feature FROM findings d
       LEFT JOIN features f ON f.feature_id = d.feature_id ORDER BY d.rule, f.ord NULLS FIRST, d.finding_id`,
      [],
      { rows: FINDINGS, ms: WAIT_MS },
    ),
    store.query(
      `SELECT DISTINCT w.finding_id, coalesce(x.path, w.source_id) AS file, w.source_line AS line FROM finding_rows w
       LEFT JOIN sources x ON x.source_id = w.source_id ORDER BY 1, 2, 3 NULLS FIRST`,
      [],
      { rows: ROWS, ms: WAIT_MS },
    ),
  ]);
  const rows = new Map<string, PrintedFinding['rows']>();
  for (const row of places.rows) {
    const id = textAt(row, 'finding_id') ?? '';
    const known = rows.get(id);
    const place = { file: textAt(row, 'file') ?? '', line: numberAt(row, 'line') };
    if (known) known.push(place);
    else rows.set(id, [place]);
  }
  const sentences = new Map(RULES.map(({ id, sentence }) => [id, sentence]));
  return found.rows.map((row) => {
    const id = textAt(row, 'finding_id') ?? '';
    const rule = textAt(row, 'rule') ?? '';
    return {
      id,
      rule,
      sentence: sentences.get(rule) ?? '',
      severity: severityOf(row),
      says: textAt(row, 'says') ?? '',
      feature: textAt(row, 'feature'),
      rows: rows.get(id) ?? [],
    };
  });
}

/** Findings of every project, by rule and then in the order of the features. Throws QueryError. */
export const auditOf = (projects: readonly Project[]): Promise<AuditedProject[]> =>
  Promise.all(
    projects.map(async ({ id, name, record }) => ({ id, name, findings: await findingsOf(record.store) })),
  );

/** Whether one of the findings is as grave as asked for. */
export const fails = (projects: readonly AuditedProject[], from: FailOn | null): boolean =>
  from !== null &&
  projects.some(({ findings }) =>
    findings.some(({ severity }) => SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(from)),
  );

const counted = (findings: readonly PrintedFinding[]): string => {
  const parts = SEVERITIES.toReversed().flatMap((severity) => {
    const n = findings.filter((one) => one.severity === severity).length;
    const name = severity === 'info' ? 'note' : severity;
    return n === 0 ? [] : [`${n} ${name}${n === 1 ? '' : 's'}`];
  });
  return parts.length === 0 ? 'no findings' : parts.join(', ');
};

function lines(finding: PrintedFinding): string[] {
  const shown = finding.rows
    .slice(0, LINES)
    .map(({ file, line }) => `${file}${line === null ? '' : `:${line}`}`);
  const rest = finding.rows.length - shown.length;
  const about = finding.feature === null ? '' : `feature ${finding.feature}: `;
  return [
    `  ${finding.severity}  ${about}${finding.says}`,
    ...shown.map((place) => `      ${place}`),
    ...(rest > 0 ? [`      and ${rest} more lines`] : []),
  ];
}

function projectLines({ name, findings }: AuditedProject, several: boolean): string[] {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return [
    ...(several ? [`${name}: ${counted(findings)}`, ''] : []),
    ...rules.flatMap((rule) => {
      const own = findings.filter((finding) => finding.rule === rule);
      const sentence = own[0]?.sentence ?? '';
      return [`${rule}${sentence === '' ? '' : `  ${sentence}`}`, ...own.flatMap(lines), ''];
    }),
    ...(several ? [] : [counted(findings)]),
  ];
}

/** Findings for a person: the rule and its sentence, each finding, and the lines it rests on. */
export const auditText = (projects: readonly AuditedProject[]): string =>
  projects
    .flatMap((project) => projectLines(project, projects.length > 1))
    .map(printable)
    .join('\n')
    .trimEnd();

/** Findings for a program: one JSON document with a version of its form. */
export const auditJson = (projects: readonly AuditedProject[]): string =>
  JSON.stringify({ format: 'looplight-audit', version: 1, projects }, null, 2);
