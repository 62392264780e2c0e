import type { SourceInput } from './adapter.ts';
import { type IssueCode, Issues, type Severity } from './issue.ts';

/** Issues that are said to the source at once, for readers that take a list of issues (Fields, reportDocument). */
export class SourceIssues extends Issues {
  constructor(readonly source: Pick<SourceInput, 'issue'>) {
    super();
  }

  override add(code: IssueCode, severity: Severity, line: number | null, detail: string): void {
    this.source.issue(code, severity, line, detail);
  }
}
