import type { CardData, Paragraph } from '../../../shared/cards.ts';
import type { Plan } from '../../../shared/plan.ts';
import { createRegistry } from '../../answer/evidence.ts';
import { checkPremises } from '../../answer/premise.ts';
import { createResolver } from '../../answer/resolver.ts';
import type { EvidenceItem, Turn } from '../../answer/types.ts';
import type { RecordHandle } from '../../record/store.ts';
import { collectEvidence } from '../evidence.ts';
import { expectSoundPlan } from '../plan-checks.ts';
import { carriedSubject } from '../subject.ts';
import { planFor } from './index.ts';

const signal = new AbortController().signal;

/** Text of paragraphs as people read it, with figures as their values and features by number. */
export const said = (paragraphs: readonly Paragraph[]): string =>
  paragraphs
    .map(({ inlines }) =>
      inlines
        .map((part) => {
          if (part.kind === 'text' || part.kind === 'typed' || part.kind === 'label') return part.text;
          if (part.kind === 'figure') return `${part.figure.value}`;
          if (part.kind === 'feature') return `#${part.id}`;
          return part.kind === 'quote' ? `"${part.text}" [${part.id}]` : `[${part.id}]`;
        })
        .join(''),
    )
    .join('\n');

/** Resolves a plan against a record. */
export async function resolvePlan(
  record: RecordHandle,
  plan: Plan,
  question: string | null,
  evidence: readonly EvidenceItem[],
) {
  const resolver = createResolver({
    store: record.store,
    profile: await record.profile(),
    evidence,
    registry: createRegistry(record),
    threshold: () => null,
    signal,
    question,
    stage: 'stream',
  });
  await resolver.preamble(plan);
  const cards: CardData[] = [];
  for (const [at, block] of plan.blocks.entries()) cards.push(await resolver.card(block, `c${at}`));
  const facts = Object.fromEntries(
    [...resolver.facts()].map(([name, fact]) => [name, fact.label ?? fact.figure.value]),
  );
  return { cards, facts, outcomes: resolver.outcomes(), chat: resolver.prose(plan.explanation) };
}

/** The whole way from a question, after others of one conversation, to cards. */
export async function answer(record: RecordHandle, question: string, ...before: string[]) {
  const profile = await record.profile();
  const turns: Turn[] = [];
  for (const earlier of before) {
    const { plan } = planFor({ question: earlier, turns, profile, evidence: [], premises: [], signal });
    const chart = plan.blocks.find((block) => block.type === 'chart');
    turns.push({
      question: earlier,
      about: plan.about,
      measures: chart?.measures.map(({ measure }) => measure) ?? [],
      by: chart?.by ?? null,
      titles: plan.blocks.map(({ title }) => title),
    });
  }
  const [evidence, premises] = await Promise.all([
    collectEvidence(question, profile, record.store, carriedSubject(question, turns, profile)),
    checkPremises(question, profile, record.store),
  ]);
  const request = { question, turns, profile, evidence, premises, signal };
  const { family, plan } = planFor(request);
  expectSoundPlan(JSON.stringify(plan), profile, request);
  const resolved = await resolvePlan(record, plan, question, evidence);
  return { family, plan, evidence, premises, ...resolved, text: said(resolved.chat) };
}
