import type { Button, CardData, Figure, Inline, Paragraph } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { RecordProfile } from '../../record/store.ts';
import { findTypedFigures } from '../figures.ts';
import { namesOf } from '../known-names.ts';
import type { EvidenceItem, Preamble, Resolver, VerifiedCard } from '../types.ts';
import { type CheckedLabel, checkLabel, checkRequest } from './labels.ts';
import { checkProse, type Known } from './typed.ts';
import { citedIds, figuresOf, mapProse } from './walk.ts';

/** What the cards of one reading are checked against. */
export interface CheckParts {
  /** Has run the facts of the plan. */
  resolver: Pick<Resolver, 'facts'>;
  preamble: Preamble;
  profile: RecordProfile;
  evidence: readonly EvidenceItem[];
  question: string | null;
}

export interface Check {
  /** @param planned whether a planner wrote its title, labels and buttons */
  card(resolved: CardData, planned: boolean): VerifiedCard;
  paragraphs(paragraphs: Paragraph[]): Paragraph[];
  /** Questions to ask next, without those that take for granted what nothing supports. */
  requests(texts: readonly string[]): string[];
  /** Figures and typed numbers looked at so far. */
  figures(): number;
}

/** Entries a card shows, where a title can speak of them ("the 10 slowest"). */
function entriesOf(card: CardData): number | null {
  if (card.type === 'chart') return card.points.length;
  return card.type === 'table' || card.type === 'conflict' ? card.rows.length : null;
}

/** What some source claims about the features a text names: a question may take it for granted, the answer says what is so. */
function claimsIn(text: string, profile: RecordProfile): Figure[] {
  return profile.features.flatMap(({ id, disputedAttempts }): Figure[] => {
    if (
      disputedAttempts === undefined ||
      !` ${text.toLowerCase()} `.includes(` feature ${id.toLowerCase()} `)
    )
      return [];
    return [
      {
        value: disputedAttempts,
        unit: 'attempts',
        basis: 'claimed',
        evidence: null,
        disputed: true,
        n: null,
        missing: null,
      },
    ];
  });
}

/** Checks what was resolved: every typed number in prose, titles, labels, buttons and questions, and every citation. */
export function createCheck({ resolver, preamble, profile, evidence, question }: CheckParts): Check {
  const { about, facts: declared } = preamble;
  const facts = [...resolver.facts().values()].map((fact) => fact.figure);
  // What a typed number can be meant to say: a value of the one feature the plan is about.
  const own = new Set(
    declared.flatMap(({ name, kind, scope, where }) => {
      const figure = resolver.facts().get(name)?.figure;
      const isOwn = about.feature !== null && kind === 'value' && scope === 'about' && where.length === 0;
      return isOwn && figure ? [figure] : [];
    }),
  );
  const known: Known = {
    facts,
    own,
    features: new Set(profile.features.map((feature) => feature.id)),
    names: namesOf(profile),
  };
  const asked = findTypedFigures(question ?? '', known.names);
  const cited = new Set(evidence.map((item) => item.id));
  let figures = 0;

  const request = (text: string, length: number, more: readonly Figure[] = []) => {
    const given = { ...known, facts: [...facts, ...more, ...claimsIn(text, profile)] };
    const checked = checkRequest(text, length, given, asked);
    figures += checked.typed;
    return checked;
  };

  /** Title, labels and buttons of a card as a planner wrote them. */
  const labels = (card: CardData, doubts: string[], corrections: string[]): CardData => {
    const shown = figuresOf(card);
    const here: Known = { ...known, facts: [...facts, ...shown] };
    const label = (text: string, length: number): string => {
      const checked: CheckedLabel = checkLabel(text, length, here, {
        question: asked,
        shown: entriesOf(card),
      });
      figures += checked.typed;
      doubts.push(...checked.unverified);
      corrections.push(...checked.corrections);
      return checked.text;
    };
    const actions = card.actions.flatMap((button): Button[] => {
      const words = request(button.label, LIMITS.label, shown);
      const whole = request(button.request, LIMITS.request, shown);
      corrections.push(...words.corrections, ...whole.corrections);
      if (words.text !== null && whole.text !== null) return [{ label: words.text, request: whole.text }];
      corrections.push(`a button was left out: ${[...words.unverified, ...whole.unverified].join('; ')}`);
      return [];
    });
    const named = { ...card, title: label(card.title, LIMITS.title), actions };
    if (named.type !== 'stat') return named;
    return {
      ...named,
      figures: named.figures.map((one) => ({
        ...one,
        label: label(one.label, LIMITS.label),
        compare: one.compare && { ...one.compare, label: label(one.compare.label, LIMITS.label) },
      })),
    };
  };

  return {
    card(resolved, planned) {
      const doubts: string[] = [];
      const corrections: string[] = [];
      const given = planned ? labels(resolved, doubts, corrections) : resolved;
      const card = mapProse(given, (inlines): Inline[] => {
        const checked = checkProse(inlines, known);
        figures += checked.typed;
        doubts.push(...checked.unverified);
        corrections.push(...checked.corrections);
        return checked.inlines;
      });
      figures += figuresOf(resolved).length;
      for (const id of citedIds(card)) if (!cited.has(id)) doubts.push(`there is no evidence ${id}`);
      return { id: card.id, card, resolved, doubts, corrections };
    },
    paragraphs: (paragraphs) =>
      paragraphs.map((paragraph) => {
        const checked = checkProse(paragraph.inlines, known);
        figures += checked.typed + paragraph.inlines.filter(({ kind }) => kind === 'figure').length;
        return { ...paragraph, inlines: checked.inlines };
      }),
    requests: (texts) => texts.flatMap((text) => request(text, LIMITS.request).text ?? []),
    figures: () => figures,
  };
}
