import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import { featureId, RUN } from './names.ts';

/** A criterion or use case as one place of one source tells it. */
interface Telling {
  id: string;
  /** The task it belongs to, where the source says so. */
  task?: string | null;
  text: string | null;
  kind: 'criterion' | 'use_case';
  claimed?: boolean | null;
  parent?: string | null;
  rank: number;
  source: SourceInput;
  line: number | null;
}

/** Proof for or against a criterion, as one place of one source tells it. */
interface Proof {
  id: string;
  task?: string | null;
  kind: 'test' | 'gate';
  ref: string | null;
  polarity: 'supports' | 'refutes' | 'void';
  link: 'explicit' | 'tag' | 'name_match' | 'inferred';
  atMs: number | null;
  says: string | null;
  source: SourceInput;
  line: number | null;
  /** Makes the row's id one of its own where one line tells several proofs. */
  key: string;
}

const known = (id: string): boolean => /^[\w.-]{1,80}$/.test(id);

/**
 * Criteria are numbered anew whenever the harness designs its tests again, so `ac-11` means another one for another task. The
 * tracker keeps which criteria a task had at its last verdict; where another source names a criterion without a task, it is
 * taken for that of the task that had the number last.
 */
export class RequirementBook {
  readonly #holders = new Map<string, { task: string; atMs: number }>();
  readonly #tests = new Map<string, string>();
  #told = 0;

  constructor(readonly out: RowSink) {}

  /** A task had this criterion at a time; null when it is not known when, which any known time goes before. */
  holds(id: string, task: string, atMs: number | null): void {
    const held = this.#holders.get(id);
    if (!held || (atMs ?? -1) >= held.atMs) this.#holders.set(id, { task, atMs: atMs ?? 0 });
  }

  /** A test, by name, belongs to a task. */
  tests(name: string, task: string): void {
    this.#tests.set(name, task);
  }

  taskOfTest(name: string): string | null {
    return this.#tests.get(name) ?? null;
  }

  #taskOf(id: string, task: string | null | undefined): string | null {
    return task ?? this.#holders.get(id)?.task ?? null;
  }

  /** Id of a criterion in the record. */
  rowId(id: string, task?: string | null): string {
    const owner = this.#taskOf(id, task);
    return owner === null ? `${RUN}.q.${id}` : `${RUN}.q${owner}.${id}`;
  }

  tell({ id, task, text, kind, claimed = null, parent = null, rank, source, line }: Telling): void {
    if (!known(id) || !this.#room()) return;
    const owner = this.#taskOf(id, task);
    this.out.add('requirements_told', {
      requirement_id: this.rowId(id, task),
      run_id: RUN,
      feature_id: owner === null ? null : featureId(owner),
      ext_id: id,
      text: (text ?? id).slice(0, LIMITS.sourceText),
      kind,
      claimed_pass: claimed,
      parent_ref: parent,
      rank,
      source_id: source.id,
      source_line: line,
    });
  }

  prove({ id, task, kind, ref, polarity, link, atMs, says, source, line, key }: Proof): void {
    if (!known(id) || !this.#room()) return;
    const requirement = this.rowId(id, task);
    this.out.add('evidence_told', {
      evidence_id: `${source.id}.e${key}.${requirement}`,
      requirement_ref: requirement,
      kind,
      ref_id: ref,
      polarity,
      link,
      at_ms: atMs,
      says: says?.slice(0, LIMITS.sourceText) ?? null,
      source_id: source.id,
      source_kind: source.kind,
      source_line: line,
    });
  }

  #room(): boolean {
    this.#told += 1;
    return this.#told <= LIMITS.sourceEntries * 4;
  }
}
