import type { CardData, Paragraph } from '../../shared/cards.ts';
import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { About, AnyBlock, Block, Sentence } from '../../shared/plan.ts';
import { QueryRefused } from '../metrics/fit.ts';
import { QueryError, type RecordProfile, type Store } from '../record/store.ts';
import { controlsOf } from './change/controls.ts';
import { codeCard } from './code-card.ts';
import type { Registry } from './evidence.ts';
import { type FactResult, failedFact, resolveFact } from './facts.ts';
import { plainText } from './placeholders.ts';
import { outcomeSentences, renderProse } from './prose.ts';
import { resolveAttempts } from './resolve/attempts.ts';
import { proseContext } from './resolve/base.ts';
import { resolveChart } from './resolve/chart.ts';
import { resolveConflict } from './resolve/conflict.ts';
import { Queries, queryContext, type ResolveContext, type ThresholdLookup } from './resolve/context.ts';
import { resolveLedger } from './resolve/ledger.ts';
import { resolveLog } from './resolve/log.ts';
import { resolveCode, resolveNote } from './resolve/note.ts';
import { checkOutcome, type Outcome, premiseBlocksOf, premiseOutcome } from './resolve/outcomes.ts';
import { resolvePremise } from './resolve/premise.ts';
import { resolveStat } from './resolve/stat.ts';
import { resolveTable } from './resolve/table.ts';
import { resolveTimeline } from './resolve/timeline.ts';
import type { EvidenceItem, Preamble, Resolver } from './types.ts';

export interface ResolverParts {
  store: Store;
  profile: RecordProfile;
  evidence: readonly EvidenceItem[];
  /** Shared by all answers, so that a figure opens the same in each of them. */
  registry: Pick<Registry, 'register'>;
  threshold: ThresholdLookup;
  signal: AbortSignal;
  /** What was asked; claims of a plan must be spans of it. Null for the starting view. */
  question: string | null;
  /** Which reading this is. Both give the same cards; the check changes the marks afterwards. */
  stage: 'stream' | 'final';
  /** What runs the queries, where they do not all go to `store`. */
  queries?: Queries;
}

const NOTHING: About = { feature: null, scope: [] };

/** Blocks a planner writes; the others the server adds by itself. */
const isPlanned = (block: AnyBlock): block is Block =>
  block.type !== 'premise' && block.type !== 'conflict' && block.type !== 'code';

/** The block's own title, or null for cards that have none of their own. */
const titleOf = (block: AnyBlock): string | null => ('title' in block ? block.title : null);

/**
 * The resolver of one answer. Cards resolved before `preamble` know no facts.
 * Every failure becomes a card with a code; only a defect of the resolver itself is thrown. In the final stage a query
 * that fails is thrown too: what could not be asked again says nothing against what was streamed.
 */
export function createResolver(parts: ResolverParts): Resolver {
  const { profile, evidence, threshold, question, stage } = parts;
  const queries = parts.queries ?? new Queries(parts.store, queryContext(profile), parts.signal);
  const facts = new Map<string, FactResult>();
  const outcomes = new Map<string, Outcome>();
  const register = parts.registry.register;
  const isBearable = (error: unknown): error is QueryError =>
    stage === 'stream' && error instanceof QueryError;
  let declared: Preamble | null = null;
  const context = (): ResolveContext => ({
    queries,
    profile,
    evidence,
    threshold,
    register,
    about: declared?.about ?? NOTHING,
    facts,
    outcomes,
  });

  const resolve = (block: AnyBlock, id: string): Promise<CardData | null> | CardData => {
    switch (block.type) {
      case 'stat':
        return resolveStat(block, id, context());
      case 'chart':
        return resolveChart(block, id, context());
      case 'attempts':
        return resolveAttempts(block, id, context());
      case 'feature_table':
      case 'commit_table':
      case 'finding_table':
      case 'gate_table':
      case 'project_table':
        return resolveTable(block, id, context());
      case 'ledger':
        return resolveLedger(block, id, context());
      case 'log':
        return resolveLog(block, id, context());
      case 'timeline':
        return resolveTimeline(block, id, context());
      case 'note':
        return resolveNote(block, id, context());
      case 'premise':
        return resolvePremise(block, id, context());
      case 'conflict':
        return resolveConflict(block, id, context());
      case 'code':
        return resolveCode(block, id);
    }
  };

  return {
    async preamble(preamble) {
      declared = preamble;
      const results = await Promise.all(
        preamble.facts.slice(0, LIMITS.facts).map((fact) =>
          resolveFact(fact, preamble.about, queries, register).catch((error: unknown) => {
            if (isBearable(error)) return failedFact(fact);
            throw error;
          }),
        ),
      );
      for (const result of results) facts.set(result.name, result);
      for (const premise of preamble.premises.slice(0, LIMITS.premises))
        outcomes.set(premise.name, premiseOutcome(premise, facts, { profile }, question));
      const checks = preamble.checks.slice(0, LIMITS.checks);
      const decided = await Promise.all(
        checks.map((check) =>
          checkOutcome(check, context()).catch((error: unknown): Outcome => {
            if (isBearable(error)) return 'unknown';
            throw error;
          }),
        ),
      );
      for (const [at, check] of checks.entries()) outcomes.set(check.name, decided[at] ?? 'unknown');
    },
    facts: () => facts,
    outcomes: () => outcomes,
    async card(block, id) {
      const title = titleOf(block);
      const failed = (code: Code): CardData =>
        codeCard(id, code, title === null ? null : plainText(title, proseContext(context())) || null);
      try {
        const card = (await resolve(block, id)) ?? failed('block_unbound');
        // A view of the server is written anew each time, so nothing on it can be changed by hand.
        const controls = question !== null && isPlanned(block) ? controlsOf(block, profile) : [];
        return controls.length === 0 ? card : { ...card, controls };
      } catch (error) {
        if (error instanceof QueryRefused || isBearable(error)) return failed(error.code);
        throw error;
      }
    },
    prose(sentences: readonly Sentence[]): Paragraph[] {
      // What premises and checks say of themselves belongs to the answer; it comes before what is explained.
      const own = declared === null ? [] : outcomeSentences(declared);
      return renderProse([...own, ...sentences], proseContext(context())).paragraphs;
    },
    premiseBlocks: () =>
      declared === null
        ? []
        : premiseBlocksOf(declared.premises, facts, outcomes, { about: declared.about }, question),
  };
}
