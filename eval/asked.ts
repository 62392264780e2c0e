import { resolve } from 'node:path';
import { turnOf } from '../server/answer/conversation.ts';
import { readWholePlan } from '../server/answer/parse-plan.ts';
import { checkPremises } from '../server/answer/premise.ts';
import type { NamedPlanner, Tokens, Turn } from '../server/answer/types.ts';
import { verify } from '../server/answer/verify.ts';
import { collectEvidence } from '../server/planner/evidence.ts';
import { carriedSubject } from '../server/planner/subject.ts';
import { openRecord } from '../server/record/index.ts';
import { loadPrices } from '../server/record/prices/price-files.ts';
import type { RecordHandle } from '../server/record/store.ts';
import { createWiring, type Wiring } from '../server/wiring.ts';
import type { CardData, Paragraph } from '../shared/cards.ts';
import { Plan } from '../shared/plan.ts';
import type { Question } from './question.ts';

/** What became of one question. */
export interface Asked {
  /** The plan as it was written; null when it is none. */
  plan: Plan | null;
  cards: CardData[];
  chat: Paragraph[];
  /** Blocks of the plan that the strict reading refused. */
  refused: number;
  /** Why there is no answer, as a stable code or the planner's own words. */
  failure: string | null;
  /** From the question to the last byte of the plan, in milliseconds. */
  ms: number;
  tokens: Tokens | null;
}

/** Longest time one plan may take, in milliseconds. */
const PATIENCE = 120_000;

interface Loaded {
  record: RecordHandle;
  wiring: Wiring;
}

/** Demo records, opened once each, and asked through the same steps as the server's answers. */
export class Records {
  #open = new Map<string, Promise<Loaded>>();

  async #of(name: string): Promise<Loaded> {
    const known = this.#open.get(name);
    if (known) return known;
    const opening = loadPrices(resolve('data', 'prices'), null)
      .then((prices) => openRecord({ root: resolve('data', name), database: ':memory:', prices }))
      .then((record) => ({ record, wiring: createWiring(record) }));
    this.#open.set(name, opening);
    return opening;
  }

  /** Asks a question with the conversation before it. Never rejects for what a planner does. */
  async ask(question: Question, planner: NamedPlanner): Promise<Asked> {
    const loaded = await this.#of(question.record);
    const turns: Turn[] = [];
    for (const earlier of question.after ?? []) {
      const { plan } = await this.#one(loaded, planner, earlier, turns);
      if (plan !== null) turns.push(turnOf(earlier, plan, plan.blocks));
    }
    return this.#one(loaded, planner, question.ask, turns);
  }

  async #one(
    { record, wiring }: Loaded,
    planner: NamedPlanner,
    question: string,
    turns: readonly Turn[],
  ): Promise<Asked> {
    const signal = AbortSignal.timeout(PATIENCE);
    const profile = await record.profile();
    const about = carriedSubject(question, turns, profile);
    const [evidence, premises] = await Promise.all([
      collectEvidence(question, profile, record.store, about),
      checkPremises(question, profile, record.store),
    ]);
    let text = '';
    let tokens: Tokens | null = null;
    const started = performance.now();
    const nothing = { plan: null, cards: [], chat: [], refused: 0, tokens };
    try {
      const pieces = planner.plan({
        question,
        turns,
        profile,
        evidence,
        premises,
        signal,
        onTokens: (used) => {
          tokens = used;
        },
      });
      for await (const piece of pieces) text += piece;
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      return { ...nothing, failure, ms: performance.now() - started, tokens };
    }
    const ms = performance.now() - started;
    const read = readWholePlan(text, profile, question, evidence);
    if (read.code !== null) return { ...nothing, failure: read.code, ms, tokens };
    const plan = Plan.safeParse({
      ...read.preamble,
      explanation: read.explanation,
      blocks: read.blocks.map(({ block }) => block),
      followUps: read.followUps,
    });
    const answer = await verify({ question, text, about, signal }, wiring.verifying);
    return {
      plan: plan.success ? plan.data : null,
      cards: answer.cards.map(({ card }) => card),
      chat: answer.chat,
      refused: answer.refused.length,
      failure: answer.code ?? (plan.success ? null : 'plan_invalid'),
      ms,
      tokens,
    };
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values()) await (await opening).record.close();
  }
}
