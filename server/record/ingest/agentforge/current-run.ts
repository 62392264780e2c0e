import type { RowSink, SourceInput } from '../adapter.ts';
import type { Run } from './place.ts';

/**
 * The run that files without a time of their own belong to: the harness writes them over with each attempt, so they are of the
 * run it is in. Features they name that no other source tells of are told of here.
 */
export class CurrentRun {
  readonly #known: Set<string>;

  constructor(
    readonly run: Pick<Run, 'id' | 'features'>,
    readonly out: Pick<RowSink, 'add'>,
  ) {
    this.#known = new Set(run.features.keys());
  }

  get id(): string {
    return this.run.id;
  }

  /** Internal id of a feature by its number or name; null for none. */
  feature(source: SourceInput, ref: string | null, line: number | null): string | null {
    if (ref === null) return null;
    const id = `${this.run.id}.f${ref}`;
    if (this.#known.has(ref)) return id;
    this.#known.add(ref);
    this.out.add('features_told', {
      feature_id: id,
      run_id: this.run.id,
      ext_id: ref,
      title: `Feature ${ref}`,
      rank: 5,
      source_id: source.id,
      source_line: line,
    });
    return id;
  }
}

/** Where a row of a file stands. */
export const at = (source: SourceInput, line: number | null) => ({
  source_id: source.id,
  source_kind: source.kind,
  source_line: line,
});

/** Number of the attempt that a file's name gives: `iter-3-attempt-2-codex.log`. */
export function attemptOf(path: string): number | null {
  const found = /attempt[-_]?(\d{1,6})(?!\d)/i.exec(path)?.[1];
  return found === undefined ? null : Number(found);
}
