import type { Block, Sentence, Where } from '../../shared/plan.ts';
import { matchFeatures, SURE } from '../planner/entities.ts';
import type { RecordProfile } from '../record/store.ts';
import type { PlanReader } from './ports.ts';
import {
  DEFAULT_TITLES,
  sanitizeBlock,
  sanitizeExplanation,
  sanitizeFollowUps,
  sanitizePreamble,
} from './sanitize.ts';
import type { Checked, EvidenceItem, Preamble } from './types.ts';
import { sentenceIssues } from './validate/mentions.ts';
import {
  type BlockContext,
  declared,
  type Issue,
  type ValidateContext,
  validateBlock,
  validatePreamble,
} from './validate.ts';

const EMPTY: Preamble = { about: { feature: null, scope: [] }, facts: [], premises: [], checks: [] };

/** The id a planner means by "feature 28", "#28" or a title; what names no feature for sure stays as it is. */
function featureId(given: string, profile: RecordProfile): string {
  if (profile.features.some(({ id }) => id === given)) return given;
  const sure = matchFeatures(given, profile).filter(({ score }) => score >= SURE);
  return (sure.length === 1 ? sure[0]?.id : undefined) ?? given;
}

const inRecord = (where: Where, profile: RecordProfile): Where =>
  where.type === 'in' && where.dim === 'feature'
    ? { ...where, any_of: [...new Set(where.any_of.map((value) => featureId(value, profile)))] }
    : where;

function preambleInRecord({ about, facts, premises, checks }: Preamble, profile: RecordProfile): Preamble {
  return {
    about: {
      feature: about.feature === null ? null : featureId(about.feature, profile),
      scope: about.scope.map((where) => inRecord(where, profile)),
    },
    facts: facts.map((fact) => ({ ...fact, where: fact.where.map((where) => inRecord(where, profile)) })),
    premises: premises.map((premise) =>
      premise.type === 'state' ? { ...premise, feature: featureId(premise.feature, profile) } : premise,
    ),
    checks,
  };
}

function blockInRecord(block: Block, profile: RecordProfile): Block {
  if (block.type === 'attempts') return { ...block, feature: featureId(block.feature, profile) };
  return 'where' in block ? { ...block, where: block.where.map((where) => inRecord(where, profile)) } : block;
}

/** Indexes of a list that lose their entry: `figures[2]` names index 2 of `figures`. */
function lost(issues: readonly Issue[], list: string): (_: unknown, index: number) => boolean {
  const paths = new Set(issues.filter(({ costs }) => costs === 'part').map(({ path }) => path));
  return (_, index) => !paths.has(`${list}[${index}]`);
}

type Trimmed = { block: Block | null; notes: string[] };

function keep<T>(list: readonly T[], issues: readonly Issue[], name: string, notes: string[]): T[] {
  const kept = list.filter(lost(issues, name));
  if (kept.length < list.length) {
    const what = name === 'body' ? 'sentences' : name;
    notes.push(`${kept.length} of ${list.length} ${what} shown`);
  }
  return kept;
}

/** The block without the parts its issues cost; null when nothing is left to draw. */
function without(block: Block, issues: readonly Issue[]): Trimmed {
  const notes: string[] = [];
  const costly = (path: string): boolean =>
    issues.some((issue) => issue.costs === 'part' && issue.path === path);
  const title = costly('title') ? DEFAULT_TITLES[block.type] : block.title;
  switch (block.type) {
    case 'stat': {
      const figures = keep(block.figures, issues, 'figures', notes);
      return { block: figures.length === 0 ? null : { ...block, title, figures }, notes };
    }
    case 'chart': {
      const measures = keep(block.measures, issues, 'measures', notes);
      return { block: measures.length === 0 ? null : { ...block, title, measures }, notes };
    }
    case 'note': {
      const body = keep(block.body, issues, 'body', notes);
      return { block: body.length === 0 ? null : { ...block, title, body }, notes };
    }
    case 'attempts':
    case 'ledger':
    case 'log':
    case 'timeline':
      return { block: { ...block, title }, notes };
    default: {
      const columns = keep(block.columns, issues, 'columns', notes);
      const order_by = costly('order_by') ? null : block.order_by;
      return { block: columns.length === 0 ? null : { ...block, title, columns, order_by }, notes };
    }
  }
}

class Reader implements PlanReader {
  readonly #given: ValidateContext;
  #context: BlockContext;
  #lost = false;

  constructor(given: ValidateContext) {
    this.#given = given;
    this.#context = declared(EMPTY, given);
  }

  preamble(sections: ReadonlyMap<string, unknown>): Checked<Preamble> {
    const read = sanitizePreamble(sections);
    this.#lost = !read.ok;
    if (!read.ok) return read;
    const preamble = preambleInRecord(read.value, this.#given.profile);
    const facts = {
      ...preamble,
      facts: preamble.facts.filter(lost(validatePreamble(preamble, this.#given), 'facts')),
    };
    // Premises rest on facts, so they are looked at again without those that went.
    const issues = validatePreamble(facts, this.#given);
    const value = {
      ...facts,
      premises: facts.premises.filter(lost(issues, 'premises')),
      checks: facts.checks.filter(lost(issues, 'checks')),
    };
    this.#context = declared(value, this.#given);
    return { ok: true, value, notes: read.notes };
  }

  block(value: unknown, preamble: Preamble): Checked<Block> {
    const read = sanitizeBlock(value);
    if (!read.ok) return read;
    const block = blockInRecord(read.value, this.#given.profile);
    // What cannot tell what it is about would speak of more than was asked.
    if (this.#lost && 'scope' in block && block.scope === 'about')
      return { ok: false, code: 'block_invalid', issues: ['about: cannot be read'] };
    const issues = validateBlock(block, declared(preamble, this.#given));
    const fatal = issues.find(({ costs }) => costs === 'card');
    const says = issues.map((issue) => `${issue.path}: ${issue.says}`);
    if (fatal) return { ok: false, code: fatal.code, issues: says };
    const { block: left, notes } = without(block, issues);
    if (left === null) return { ok: false, code: 'block_unbound', issues: says };
    return { ok: true, value: left, notes: [...read.notes, ...notes] };
  }

  explanation(value: unknown): Sentence[] {
    const sentences = sanitizeExplanation(value);
    return sentences.filter(lost(sentenceIssues(sentences, 'explanation', this.#context), 'explanation'));
  }

  followUps(value: unknown): string[] {
    return sanitizeFollowUps(value);
  }
}

/**
 * Reads the parts of one plan: sanitizes each, ties names to the record, and leaves out what does not hold, as
 * `validatePlan` would say it. Read the preamble before the blocks and sentences that use it.
 */
export const createPlanReader = (
  profile: RecordProfile,
  question: string | null,
  evidence: readonly EvidenceItem[],
): PlanReader => new Reader({ profile, question, evidence });
