import type { Cite, Unit } from '../../shared/cards.ts';
import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { AnyBlock, Block, Sentence } from '../../shared/plan.ts';
import type { RecordProfile, Store } from '../record/store.ts';
import { cardId, premiseBlocks, premiseId, standingBlocks, withPlanPremises } from './placing.ts';
import type { ResolverOptions, VerifyInput } from './ports.ts';
import { withNotes } from './trimmed.ts';
import type {
  EvidenceItem,
  Preamble,
  PremiseFinding,
  Resolver,
  VerifiedAnswer,
  VerifiedCard,
} from './types.ts';
import { createCheck } from './verify/check.ts';
import { citesOf, figuresOf } from './verify/walk.ts';

/**
 * The second reading of an answer. It is told the plan's text and the question, opens the record by a connection of its
 * own, and knows nothing of what was streamed. It reads the whole text strictly, resolves everything again, and checks
 * every number in prose and every citation. Should the record move meanwhile, what it found is void and it begins again.
 */

/** A plan read strictly as one document. */
export interface StrictPlan {
  preamble: Preamble;
  explanation: Sentence[];
  followUps: string[];
  blocks: { index: number; block: Block; notes: string[] }[];
  refused: { index: number; code: Code; reason: string }[];
  /** Why the text is no plan at all, or null. */
  code: Code | null;
}

export interface VerifyPorts {
  connect(): Promise<Store>;
  /** Looks whether a source changed and reads it again if so; the fingerprint tells. */
  refresh(): Promise<void>;
  profile(): Promise<RecordProfile>;
  checkPremises(question: string, profile: RecordProfile, store: Store): Promise<PremiseFinding[]>;
  collectEvidence(
    question: string,
    profile: RecordProfile,
    store: Store,
    about: readonly string[],
  ): Promise<EvidenceItem[]>;
  parse(
    text: string,
    profile: RecordProfile,
    question: string | null,
    evidence: readonly EvidenceItem[],
  ): StrictPlan;
  resolver(options: ResolverOptions): Resolver;
  /** Whether the source has this line now. */
  lineExists(cite: Cite): Promise<boolean>;
}

const EMPTY: StrictPlan = {
  preamble: { about: { feature: null, scope: [] }, facts: [], premises: [], checks: [] },
  explanation: [],
  followUps: [],
  blocks: [],
  refused: [],
  code: 'plan_empty',
};

/**
 * Checks one answer. Throws when the record cannot be asked at all; everything smaller is told in the result.
 * @param input all the verifier is told
 */
export async function verify(input: VerifyInput, ports: VerifyPorts): Promise<VerifiedAnswer> {
  const started = Date.now();
  let before: string | null = null;
  for (let passes = 1; ; passes += 1) {
    input.signal.throwIfAborted();
    // Each pass has a connection of its own: nothing of a void one is left in it.
    const store = await ports.connect();
    try {
      before ??= await store.fingerprint();
      const found = await pass(input, ports, store);
      await ports.refresh();
      const after = await store.fingerprint();
      const told = { fingerprint: after, passes };
      if (after === before) return { ...found, ...told, ms: Date.now() - started };
      before = after;
      if (passes >= LIMITS.verifyPasses)
        return { ...VOID, followUps: found.followUps, ...told, ms: Date.now() - started };
    } finally {
      await store.close();
    }
  }
}

/** What is left of a check when the record did not stay still. */
const VOID: Omit<Pass, 'followUps'> = {
  cards: [],
  chat: [],
  figures: 0,
  rows: 0,
  sources: 0,
  refused: [],
  code: 'record_moved',
};

/**
 * Whether a plan can rest on evidence at all: it names a piece, has code that may stand in one, or hides its words behind
 * escapes. Evidence no card can show is not collected a second time.
 */
const leansOnEvidence = (text: string): boolean => /E\d|`|\\u/.test(text);

type Pass = Omit<VerifiedAnswer, 'passes' | 'ms' | 'fingerprint'>;

async function pass(input: VerifyInput, ports: VerifyPorts, store: Store): Promise<Pass> {
  const { question, signal } = input;
  const profile = await ports.profile();
  const [findings, evidence] =
    question === null
      ? [[], []]
      : await Promise.all([
          ports.checkPremises(question, profile, store),
          leansOnEvidence(input.text) ? ports.collectEvidence(question, profile, store, input.about) : [],
        ]);
  const plan = input.text.trim() === '' ? EMPTY : ports.parse(input.text, profile, question, evidence);
  const resolver = ports.resolver({ store, profile, evidence, signal, question, stage: 'final' });
  await resolver.preamble(plan.preamble);
  const premises = withPlanPremises(premiseBlocks(findings), resolver.premiseBlocks());
  const inside = plan.blocks.filter(({ index }) => index < LIMITS.blocks);
  const ordered: { id: string; block: AnyBlock; notes: string[]; planned: boolean }[] = [
    ...premises.map((block, n) => ({ id: premiseId(n), block, notes: [], planned: false })),
    ...inside.map(({ index, block, notes }) => ({ id: cardId(index), block, notes, planned: true })),
    ...standingBlocks(question, profile).map(({ id, block }) => ({ id, block, notes: [], planned: false })),
  ];
  const check = createCheck({ resolver, preamble: plan.preamble, profile, evidence, question });
  const cards = await Promise.all(
    ordered.map(async ({ id, block, notes, planned }) =>
      check.card(withNotes(await resolver.card(block, id), notes), planned),
    ),
  );
  const missing = await missingLines(
    cards.flatMap(({ card }) => citesOf(card)),
    profile,
    ports,
  );
  for (const one of cards)
    for (const cite of citesOf(one.card))
      if (missing.has(placeOf(cite))) one.doubts.push(`${cite.label} has no line ${cite.line ?? ''}`.trim());
  const chat = check.paragraphs(resolver.prose(plan.explanation));
  return {
    cards,
    chat,
    followUps: check.requests(plan.followUps),
    figures: check.figures(),
    rows: rowsOf(cards),
    sources: sourcesOf(cards, profile),
    refused: plan.refused
      .filter(({ index }) => index < LIMITS.blocks)
      .map(({ index, code, reason }) => ({ id: cardId(index), code, reason })),
    code: plan.code,
  };
}

const placeOf = (cite: Cite): string => `${cite.source}:${cite.line ?? ''}`;

/** Cited places that are not there. When the last cited line of a source exists, so do those before it. */
async function missingLines(
  cites: readonly Cite[],
  profile: RecordProfile,
  ports: VerifyPorts,
): Promise<Set<string>> {
  const loaded = new Set(profile.sources.map(({ id }) => id));
  const bySource = new Map<string, Cite[]>();
  for (const cite of cites) bySource.set(cite.source, [...(bySource.get(cite.source) ?? []), cite]);
  const missing = new Set<string>();
  await Promise.all(
    [...bySource].map(async ([source, places]) => {
      const lines = places.filter(({ line }) => line !== null).sort((a, b) => (b.line ?? 0) - (a.line ?? 0));
      if (!loaded.has(source)) for (const place of places) missing.add(placeOf(place));
      else
        for (const place of new Map(lines.map((one) => [one.line, one])).values()) {
          if (await ports.lineExists(place)) break;
          missing.add(placeOf(place));
        }
    }),
  );
  return missing;
}

/** What counts rows: such a figure is itself how many there are. */
const COUNTS = new Set<Unit>([
  'features',
  'commits',
  'findings',
  'requirements',
  'gates',
  'entries',
  'tests',
]);

/** Rows of the record behind the figures of cards, those of one query once. */
export function rowsOf(cards: readonly Pick<VerifiedCard, 'card'>[]): number {
  const rows = new Map<string, number>();
  for (const { card } of cards)
    for (const { evidence, n, unit, value } of figuresOf(card)) {
      if (evidence === null || value === null) continue;
      const own = n ?? (COUNTS.has(unit) ? Math.round(value) : 1);
      rows.set(evidence, Math.max(rows.get(evidence) ?? 0, own));
    }
  return [...rows.values()].reduce((sum, own) => sum + own, 0);
}

/** Sources behind the cards: the cited ones, and for figures of a query every source that tells facts. */
export function sourcesOf(cards: readonly Pick<VerifiedCard, 'card'>[], profile: RecordProfile): number {
  const sources = new Set(cards.flatMap(({ card }) => citesOf(card).map(({ source }) => source)));
  if (cards.some(({ card }) => figuresOf(card).some(({ evidence }) => evidence !== null)))
    for (const { id, facts } of profile.sources) if (facts > 0) sources.add(id);
  return sources.size;
}
