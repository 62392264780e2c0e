import type { CardData, Inline, Paragraph } from '../shared/cards.ts';
import type { Plan, Where } from '../shared/plan.ts';
import type { Asked } from './asked.ts';
import type { Question } from './question.ts';

/** Words and numbers of an answer, as far as they are read. */
interface Words {
  text: string;
  numbers: Set<number>;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Everything a value is made of, bounded by the depth of a card. */
function gather(value: unknown, into: { texts: string[]; numbers: Set<number> }, depth = 0): void {
  if (depth > 12) return;
  if (typeof value === 'string') into.texts.push(value);
  else if (typeof value === 'number') into.numbers.add(rounded(value));
  else if (Array.isArray(value)) for (const one of value) gather(one, into, depth + 1);
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) gather(one, into, depth + 1);
}

function inlineText(part: Inline, numbers: Set<number>): string {
  switch (part.kind) {
    case 'text':
    case 'typed':
    case 'label':
      return part.text;
    case 'figure':
      if (part.figure.value !== null) numbers.add(rounded(part.figure.value));
      return part.figure.value === null ? 'not recorded' : String(rounded(part.figure.value));
    case 'feature':
      return `#${part.id} ${part.title}`;
    case 'quote':
      return `"${part.text}"`;
    case 'cite':
      return '';
  }
}

/** Words of the answer itself: explanation, titles, notes, figures, premise cards; not the points and cells behind them. */
export function wordsOf(cards: readonly CardData[], chat: readonly Paragraph[]): Words {
  const numbers = new Set<number>();
  const texts: string[] = [];
  const paragraphs = (body: readonly Paragraph[]): void => {
    for (const { inlines } of body) texts.push(inlines.map((part) => inlineText(part, numbers)).join(''));
  };
  paragraphs(chat);
  for (const card of cards) {
    texts.push(card.title, card.sub ?? '');
    if (card.type === 'note') paragraphs(card.body);
    if (card.type === 'empty') texts.push(card.says, card.next);
    if (card.type === 'premise') {
      texts.push(card.counted.map((part) => inlineText(part, numbers)).join(''));
      gather(card.rows, { texts, numbers });
    }
    if (card.type === 'stat')
      for (const { label, figure, caption } of card.figures) {
        texts.push(label, caption.map((part) => inlineText(part, numbers)).join(''));
        if (figure.value !== null) numbers.add(rounded(figure.value));
      }
  }
  return { text: texts.join('\n').toLowerCase(), numbers };
}

function everything(cards: readonly CardData[], words: Words): Words {
  const texts: string[] = [words.text];
  const numbers = new Set(words.numbers);
  gather(cards, { texts, numbers });
  return { text: texts.join('\n').toLowerCase(), numbers };
}

const holds = ({ text, numbers }: Words, wanted: string | number): boolean =>
  typeof wanted === 'number' ? numbers.has(rounded(wanted)) : text.includes(wanted.toLowerCase());

/** A filter as the questions write it. */
function written(where: Where): string[] {
  if (where.type === 'in')
    return [`${where.dim}${where.not ? '!=' : '='}${[...where.any_of].sort().join(',')}`];
  const from = where.from === null ? [] : [`>=${where.from}`];
  const to = where.to === null ? [] : [`<=${where.to}`];
  return [`${where.dim}${[...from, ...to].join('&')}`];
}

function filtersOf(plan: Plan): Set<string> {
  const scoped = plan.blocks.flatMap((block) => ('where' in block ? block.where : []));
  return new Set(
    [...plan.about.scope, ...plan.facts.flatMap(({ where }) => where), ...scoped].flatMap(written),
  );
}

const measuresOf = (plan: Plan): Set<string> =>
  new Set([
    ...plan.facts.map(({ measure }) => measure),
    ...plan.blocks.flatMap((block) =>
      block.type === 'chart' ? block.measures.map(({ measure }) => measure) : [],
    ),
  ]);

const groupingsOf = (plan: Plan): Set<string> =>
  new Set([
    ...plan.facts.flatMap(({ by }) => (by === null ? [] : [by])),
    ...plan.blocks.flatMap((block) =>
      block.type === 'chart'
        ? [block.by, ...(block.split === null ? [] : [block.split])]
        : block.type === 'ledger'
          ? [block.group]
          : [],
    ),
  ]);

const either = (wanted: string, has: (one: string) => boolean): boolean => wanted.split('|').some(has);

/**
 * What is missing in an answer, in words; empty when it is right.
 * @param question with what it expects
 * @param asked what became of it
 */
export function missing({ expect }: Question, asked: Asked): string[] {
  const { plan, cards, chat } = asked;
  if (plan === null || asked.failure !== null) return [`no answer: ${asked.failure ?? 'no plan'}`];
  const lacks: string[] = [];
  const lack = (is: boolean, words: string): void => {
    if (!is) lacks.push(words);
  };
  const measures = measuresOf(plan);
  for (const one of expect.measures ?? [])
    lack(
      either(one, (id) => measures.has(id)),
      `measure ${one} (has ${[...measures].join(', ') || 'none'})`,
    );
  if (expect.by !== undefined) {
    const groupings = groupingsOf(plan);
    lack(
      either(expect.by, (id) => groupings.has(id)),
      `by ${expect.by} (has ${[...groupings].join(', ') || 'none'})`,
    );
  }
  const filters = filtersOf(plan);
  for (const one of expect.where ?? [])
    lack(
      either(one, (filter) => filters.has(filter)),
      `filter ${one} (has ${[...filters].join('; ') || 'none'})`,
    );
  if (expect.feature !== undefined)
    lack(
      plan.about.feature === expect.feature,
      `about ${expect.feature} (is about ${plan.about.feature ?? 'the run'})`,
    );
  const kinds = new Set<string>(cards.map(({ type }) => type));
  for (const one of expect.cards ?? [])
    lack(
      either(one, (kind) => kinds.has(kind)),
      `card ${one} (has ${[...kinds].join(', ')})`,
    );
  const words = wordsOf(cards, chat);
  for (const one of expect.says ?? []) lack(holds(words, one), `says ${one}`);
  const all = everything(cards, words);
  for (const one of expect.shows ?? []) lack(holds(all, one), `shows ${one}`);
  for (const one of expect.not ?? []) lack(!holds(words, one), `must not say ${one}`);
  return lacks;
}
