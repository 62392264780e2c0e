import { LIMITS } from '../../../shared/limits.ts';
import type {
  About,
  Action,
  Block,
  Check,
  Fact,
  LedgerBlock,
  LogBlock,
  NoteBlock,
  Plan,
  Premise,
  Sentence,
  StatBlock,
  TimelineBlock,
  Where,
} from '../../../shared/plan.ts';
import type { TableKind } from '../../metrics/columns.ts';
import { dimensionById } from '../../metrics/dimensions.ts';
import { fits } from '../../metrics/fit.ts';
import { measureById } from '../../metrics/measures.ts';
import { TIMED } from '../../metrics/timed.ts';
import { list } from '../../metrics/words.ts';
import type { RecordProfile } from '../../record/store.ts';
import { isAnswerable, QUESTIONS } from './questions.ts';

type FactSpec = Partial<Omit<Fact, 'name' | 'measure'>> & { measure: string };
type ChartSpec = Partial<Omit<Extract<Block, { type: 'chart' }>, 'type' | 'measures'>> & {
  title: string;
  by: string;
  /** Measure ids counted, or with a source of their own. */
  of: (string | { measure: string; source: string })[];
};
type TableType = TableKind;
type TableSpec = Partial<Omit<Extract<Block, { type: TableType }>, 'type'>> & {
  title: string;
  columns: string[];
};
type Selection = Pick<LogBlock, 'scope' | 'where'>;
type EventSpec<B extends LedgerBlock | LogBlock | TimelineBlock> = Pick<B, 'title'> &
  Partial<Pick<B, 'scope' | 'where' | 'actions'>>;
type RelationPremise = Extract<Premise, { type: 'relation' }>;
type Outcome = 'true' | 'false' | 'unknown';

const NAMES = /\{([a-z][a-z0-9_]*)\}/g;

/** Text of the record put into a title: one line, without what placeholders and markup are made of. */
export const plainTitle = (text: string): string =>
  text
    .replace(/[{}[\]<>*_`\\|#]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 48)
    .trim();

/**
 * Gathers one plan. Facts are declared as they are used and written before what uses them; facts that nothing uses
 * are left out; counts and lengths are kept inside LIMITS, so that what it builds needs no trimming.
 */
export class PlanBuilder {
  readonly #about: About;
  readonly #facts = new Map<string, Fact>();
  readonly #premises: Premise[] = [];
  readonly #checks: Check[] = [];
  readonly #explanation: Sentence[] = [];
  readonly #blocks: Block[] = [];
  readonly #followUps: string[] = [];
  /** Filters that a measure cannot take, by the fact (or, for cards, the measure) that is told without them. */
  readonly #unfiltered = new Map<string, { label: string; dims: readonly string[] }>();

  constructor(
    readonly profile: RecordProfile,
    readonly question: string,
    about: Partial<About> = {},
  ) {
    this.#about = { feature: about.feature ?? null, scope: about.scope ?? [] };
  }

  /** Filters of the plan's scope that a measure can take; a query that cannot take them all leaves the scope. */
  #scoped(
    measures: readonly string[],
    where: readonly Where[],
    fact: string | null = null,
  ): { scope: 'about' | 'run'; where: Where[] } {
    const suits = (filter: Where): boolean => measures.every((id) => goesWith(id, filter.dim));
    if (this.#about.scope.every(suits)) return { scope: 'about', where: [...where] };
    const label = measures.map((id) => measureById(id)?.label ?? id).join(', ');
    const dims = this.#about.scope.filter((filter) => !suits(filter)).map(({ dim }) => dim);
    this.#unfiltered.set(fact ?? `card ${label}`, { label, dims });
    return { scope: 'run', where: [...this.#about.scope.filter(suits), ...where] };
  }

  /** Declares a fact once; the same name twice is the same fact. Gives the name. */
  fact(name: string, spec: FactSpec): string {
    if (!this.#facts.has(name)) {
      const inside = spec.scope === 'run' ? null : this.#scoped([spec.measure], spec.where ?? [], name);
      this.#facts.set(name, {
        name,
        kind: spec.kind ?? 'value',
        measure: spec.measure,
        source: spec.source ?? 'counted',
        by: spec.by ?? null,
        scope: inside?.scope ?? 'run',
        where: inside?.where ?? spec.where ?? [],
      });
    }
    return name;
  }

  /** Checks what the question takes for granted; `claimed` is a span of the question. */
  figurePremise(name: string, fact: string, claimed: string): string {
    const none = { if_true: null, if_false: null, if_unknown: null };
    this.#premises.push({ type: 'figure', name, fact, is: 'is', claimed, ...none });
    return name;
  }

  /** Sets two facts against each other; sentences can hang on the outcome. */
  relation(name: string, fact: string, is: RelationPremise['is'], other: string): string {
    const none = { if_true: null, if_false: null, if_unknown: null };
    this.#premises.push({ type: 'relation', name, fact, is, other, ...none });
    return name;
  }

  agree(name: string, measure: string): string {
    this.#checks.push({ type: 'agree', name, measure, if_true: null, if_false: null, if_unknown: null });
    return name;
  }

  recorded(name: string, measure: string, source = 'counted'): string {
    const none = { if_true: null, if_false: null, if_unknown: null };
    this.#checks.push({ type: 'recorded', name, measure, source, ...none });
    return name;
  }

  explain(says: string, when?: [name: string, is: Outcome]): this {
    this.#explanation.push(sentence(says, when));
    return this;
  }

  stat(title: string, figures: StatBlock['figures'], actions: Action[] = []): this {
    return this.#add({ type: 'stat', title, figures: figures.slice(0, LIMITS.statFigures), actions });
  }

  /** Adds a chart; one whose measure does not go with its grouping is not written. */
  chart({ of, actions, where, scope, ...spec }: ChartSpec): this {
    const measures = of.map((entry) =>
      typeof entry === 'string' ? { measure: entry, source: 'counted' } : entry,
    );
    const ids = measures.map(({ measure }) => measure);
    if (!ids.every((id) => goesWith(id, spec.by))) return this;
    const inside = scope === 'run' ? { scope, where: where ?? [] } : this.#scoped(ids, where ?? []);
    return this.#add({
      type: 'chart',
      title: spec.title,
      measures,
      by: spec.by,
      split: spec.split ?? null,
      draw: spec.draw ?? 'bar',
      order: spec.order ?? 'natural',
      size: spec.size ?? 'all',
      ...inside,
      actions: actions ?? [],
    });
  }

  attempts(feature: string, title: string, actions: Action[] = []): this {
    return this.#add({ type: 'attempts', title, feature, actions });
  }

  table(type: TableType, spec: TableSpec): this {
    const base = {
      feature_table: 'features',
      commit_table: 'commits',
      finding_table: 'findings',
      gate_table: 'gate_runs',
      project_table: 'features',
    }[type];
    const inside =
      spec.scope === 'run'
        ? { scope: spec.scope, where: spec.where ?? [] }
        : this.#scoped([base], spec.where ?? []);
    return this.#add({
      type,
      title: spec.title,
      columns: spec.columns,
      order_by: spec.order_by ?? null,
      order: spec.order ?? 'natural',
      size: spec.size ?? 'all',
      ...inside,
      actions: spec.actions ?? [],
    });
  }

  /** Requirements and how far each is proven. */
  ledger(spec: EventSpec<LedgerBlock> & Partial<Pick<LedgerBlock, 'group'>>): this {
    return this.#add({
      type: 'ledger',
      title: spec.title,
      group: spec.group ?? 'feature',
      ...this.#within('requirements', spec),
      actions: spec.actions ?? [],
    });
  }

  /** Entries of the logs as they were written. */
  log(spec: EventSpec<LogBlock> & Partial<Pick<LogBlock, 'around' | 'size'>>): this {
    return this.#add({
      type: 'log',
      title: spec.title,
      around: spec.around ?? 'nothing',
      size: spec.size ?? 'some',
      ...this.#within('log_entries', spec),
      actions: spec.actions ?? [],
    });
  }

  /** What happened on a time axis. */
  timeline(spec: EventSpec<TimelineBlock> & Pick<TimelineBlock, 'of'>): this {
    return this.#add({
      type: 'timeline',
      title: spec.title,
      of: spec.of,
      ...this.#within(TIMED[spec.of], spec),
      actions: spec.actions ?? [],
    });
  }

  #within(measure: string, { scope, where = [] }: Partial<Selection>): Selection {
    return scope === 'run' ? { scope, where: [...where] } : this.#scoped([measure], where);
  }

  note(title: string, body: (string | Sentence)[], actions: Action[] = []): this {
    const sentences = body.map((entry) => (typeof entry === 'string' ? sentence(entry) : entry));
    return this.#add({ type: 'note', title, body: sentences.slice(0, LIMITS.noteSentences), actions });
  }

  /** Offers a question before all others: what may have been meant instead. */
  askFirst(question: string): this {
    this.#followUps.unshift(question);
    return this;
  }

  ask(...questions: string[]): this {
    this.#followUps.push(...questions);
    return this;
  }

  #add(block: Block): this {
    const actions = block.actions
      .filter(({ request }) => this.#isWorthAsking(request))
      .slice(0, LIMITS.actions)
      .map(({ label, request }) => ({
        label: label.slice(0, LIMITS.label),
        request: request.slice(0, LIMITS.request),
      }));
    this.#blocks.push({ ...block, title: block.title.slice(0, LIMITS.title), actions });
    return this;
  }

  /** Neither the question itself nor one that this record has nothing on. */
  #isWorthAsking(request: string): boolean {
    return plainQuestion(request) !== plainQuestion(this.question) && isAnswerable(request, this.profile);
  }

  build(): Plan {
    const explanation = this.#withUnfiltered(this.#used(this.#explanation)).slice(0, LIMITS.explanation);
    // What no longer fits is not said, and what only it used is not declared.
    const names = this.#used(explanation);
    const taken = new Set(this.#blocks.flatMap(({ actions }) => actions.map(({ request }) => request)));
    const spare = [
      QUESTIONS.overview,
      QUESTIONS.slowest,
      QUESTIONS.sources,
      QUESTIONS.timeTrend,
      QUESTIONS.skipped,
      QUESTIONS.findings,
    ];
    const questions = [...this.#followUps, ...spare.filter((question) => !taken.has(question)), ...spare];
    return {
      about: this.#about,
      facts: [...this.#facts.values()].filter(({ name }) => names.has(name)).slice(0, LIMITS.facts),
      premises: this.#premises.filter(({ name }) => names.has(name)),
      checks: this.#checks.filter(({ name }) => names.has(name)),
      explanation,
      blocks: this.#blocks.slice(0, LIMITS.blocks),
      followUps: [...new Set(questions)]
        .filter((question) => this.#isWorthAsking(question))
        .slice(0, LIMITS.followUps),
    };
  }

  /** The explanation, with a sentence after its first about filters that some of what is shown cannot take. */
  #withUnfiltered(names: ReadonlySet<string>): Sentence[] {
    const told = [...this.#unfiltered].filter(([name]) => name.startsWith('card ') || names.has(name));
    if (told.length === 0) return this.#explanation;
    const labels = [...new Set(told.map(([, { label }]) => label))];
    const dims = [...new Set(told.flatMap(([, entry]) => entry.dims))].map(
      (id) => dimensionById(id)?.label ?? id,
    );
    const says = `Not filtered by ${list(dims)}, because it does not apply there: ${list(labels)}.`;
    return [...this.#explanation.slice(0, 1), sentence(says), ...this.#explanation.slice(1)];
  }

  /** Names that sentences, figures, captions and premises speak of. */
  #used(explanation: readonly Sentence[]): Set<string> {
    const names = new Set<string>();
    const text = (value: string | null): void => {
      for (const match of (value ?? '').matchAll(NAMES)) if (match[1] !== undefined) names.add(match[1]);
    };
    const sentences = (list: readonly Sentence[]): void => {
      for (const { says, when } of list) {
        text(says);
        if (when) names.add(when.name);
      }
    };
    sentences(explanation);
    for (const block of this.#blocks) {
      text(block.title);
      if (block.type === 'note') sentences(block.body);
      if (block.type !== 'stat') continue;
      for (const figure of block.figures) {
        names.add(figure.fact);
        if (figure.compare_to !== null) names.add(figure.compare_to);
        text(figure.caption);
      }
    }
    for (const premise of this.#premises)
      if (names.has(premise.name) && premise.type !== 'state') {
        names.add(premise.fact);
        if (premise.type === 'relation') names.add(premise.other);
      }
    return names;
  }
}

function goesWith(measureId: string, dimensionId: string): boolean {
  const measure = measureById(measureId);
  const dimension = dimensionById(dimensionId);
  return measure !== undefined && dimension !== undefined && fits(measure, dimension);
}

/** A sentence, said always or only when a premise or check comes out a certain way. */
export const sentence = (says: string, when?: [name: string, is: Outcome]): Sentence => ({
  says,
  when: when ? { name: when[0], is: when[1] } : null,
});

/** A figure of a stat card. */
export const figure = (
  label: string,
  fact: string,
  more: { compare_to?: string; caption?: string } = {},
): StatBlock['figures'][number] => ({
  label,
  fact,
  compare_to: more.compare_to ?? null,
  caption: more.caption ?? null,
});

export const button = (label: string, request: string): Action => ({ label, request });

const plainQuestion = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export type { NoteBlock };
