import { LIMITS } from '../../../shared/limits.ts';

export type Severity = 'info' | 'warning' | 'error';

/**
 * What reading a source can find wrong with it. `info` is worth knowing and changes nothing; `warning` means something was not
 * read or had to be assumed; `error` means the source, or most of it, could not be read.
 */
export const ISSUE_CODES = [
  'not_readable',
  'outside_folder',
  'link_loop',
  'changed_while_reading',
  'adapter_failed',
  'file_too_large',
  'line_too_long',
  'too_many_entries',
  'byte_order_mark',
  'not_utf8',
  'json_cut',
  'json_invalid',
  'json_too_deep',
  'not_a_number',
  'duplicate_key',
  'unknown_shape',
  'nothing_understood',
  'builder_shape',
  'no_features',
  'wrong_type',
  'missing_field',
  'out_of_range',
  'unknown_status',
  'duplicate_id',
  'superseded',
  'unknown_line',
  'line_cut',
  'time_without_zone',
  'time_invalid',
  'mixed_zones',
  'git_failed',
  'text_cut',
  'xml_cut',
  'xml_invalid',
  'totals_differ',
  'unanchored',
  'yaml_invalid',
  'archive_invalid',
  'archive_too_large',
  'hash_differs',
  'link_broken',
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** One thing found while reading; `line` counts from 1, null when it is about the whole source. `detail` is for people. */
export interface Issue {
  code: IssueCode;
  severity: Severity;
  line: number | null;
  detail: string;
}

/** Collects the issues of one source, up to a cap; what is beyond is counted. */
export class Issues {
  readonly #items: Issue[] = [];
  #more = 0;

  add(code: IssueCode, severity: Severity, line: number | null, detail: string): void {
    if (this.#items.length < LIMITS.sourceIssues) {
      this.#items.push({ code, severity, line, detail: detail.slice(0, LIMITS.cellText) });
    } else this.#more += 1;
  }

  addAll(issues: readonly Issue[]): void {
    for (const issue of issues) this.add(issue.code, issue.severity, issue.line, issue.detail);
  }

  /** All of them, the last one saying how many were left out, if any. */
  list(): Issue[] {
    if (this.#more === 0) return [...this.#items];
    return [
      ...this.#items,
      {
        code: 'too_many_entries',
        severity: 'warning',
        line: null,
        detail: `${this.#more} more of such notes about this source were left out.`,
      },
    ];
  }
}
