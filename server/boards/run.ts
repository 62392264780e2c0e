import type { CardData } from '../../shared/cards.ts';
import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Report, StreamEvent } from '../../shared/wire.ts';
import { type AnswerSink, endedBy } from '../answer/answers.ts';
import { codeCard } from '../answer/code-card.ts';
import type { Desk, Desks } from '../answer/desks.ts';
import { featuresOf } from '../answer/keeping.ts';
import { runAnswer } from '../answer/pipeline.ts';
import { END_ID, place } from '../answer/placing.ts';
import type { AnswerRequest, Remade, Settled, Surface } from '../answer/ports.ts';
import { createProgress } from '../answer/progress.ts';
import { UNTOLD } from '../answer/settle.ts';
import { rowsOf, sourcesOf } from '../answer/verify.ts';
import { writingPlan } from '../answer/writing-plan.ts';
import { isEmptyRecord } from '../record/empty.ts';
import type { BoardFile, Item } from './board.ts';

/**
 * A board is drawn like an answer: each item's plan goes down the same way as when it was asked, onto one surface, and is
 * checked like any answer. No planner is asked.
 */

/** The one card of an item of which a single card was pinned. */
const ONLY = 'c0';
/** Who planned what is shown, for the page. */
const PLANNER = 'Board';

const nameOf = (item: Item, card: string): string => `${item.id}-${card}`;

/** Cards of items stand in the order of the items, and within one as in its answer. */
function orderOf(items: readonly Item[]): (a: string, b: string) => number {
  const at = new Map(items.map(({ id }, index) => [id, index]));
  const placeOf = (card: string): [number, number] => {
    const cut = card.indexOf('-');
    return [at.get(card.slice(0, cut)) ?? items.length, place(card.slice(cut + 1))];
  };
  return (a, b) => {
    const [itemA, cardA] = placeOf(a);
    const [itemB, cardB] = placeOf(b);
    return itemA - itemB || cardA - cardB;
  };
}

/** The request an item is made with: its own question and plan, as when an answer is opened again. */
function requestOf(item: Item, now: number): AnswerRequest {
  const planner = writingPlan(item);
  return {
    question: item.question,
    folder: item.folder,
    title: null,
    planner,
    projects: [],
    turns: [],
    remember: () => undefined,
    recall: null,
    keep: () => undefined,
    stored: {
      planner,
      about: featuresOf(item.plan),
      askedAt: item.plannedAt,
      ageMs: Math.max(0, now - item.plannedAt),
      program: '',
      older: false,
      gone: (profile) => isEmptyRecord(profile),
      since: () => ({ changed: false, gone: false, figures: [], total: 0 }),
    },
  };
}

/** What one item came to. */
interface Made {
  item: Item;
  desk: Desk | null;
  /** Its cards under their names on the board. */
  cards: CardData[];
  report: Report | null;
  /** Null when it cannot follow the record. */
  settled: Settled | null;
}

/**
 * Titles of the cards of one board. The same title twice, which two answers may well have, gets a number, so that each card can
 * be told from the other by its name.
 */
class Titles {
  readonly #seen = new Map<string, string[]>();

  of(id: string, title: string): string {
    const ids = this.#seen.get(title) ?? [];
    if (!ids.includes(id)) this.#seen.set(title, [...ids, id]);
    const at = ids.includes(id) ? ids.indexOf(id) : ids.length;
    return at === 0 ? title : `${title} (${at + 1})`;
  }
}

const own = (item: Item, card: CardData, titles: Titles): CardData => {
  const id = nameOf(item, card.id);
  return { ...card, id, title: titles.of(id, card.title) };
};
const wanted = (item: Item, id: string): boolean => item.card === null || id === ONLY || id === END_ID;
const shownOf = (item: Item, cards: readonly CardData[], titles: Titles): CardData[] =>
  cards.filter(({ id }) => wanted(item, id)).map((card) => own(item, card, titles));

async function make(
  item: Item,
  desks: Desks,
  surface: Surface,
  titles: Titles,
  sink: AnswerSink,
): Promise<Made> {
  const made: Made = { item, desk: desks.kept(item.folder), cards: [], report: null, settled: null };
  const { desk } = made;
  const show = (cards: readonly CardData[]): void => {
    made.cards = shownOf(item, cards, titles);
    for (const card of made.cards) for (const data of surface.card(card)) sink.emit({ event: 'a2ui', data });
  };
  if (desk === null) {
    show([codeCard(END_ID, 'record_gone')]);
    return made;
  }
  const part: Surface = {
    open: () => [],
    draft: (id, type, title) => (wanted(item, id) ? surface.draft(nameOf(item, id), type, title) : []),
    card: (card) => (wanted(item, card.id) ? surface.card(own(item, card, titles)) : []),
    end: () => [],
    all: () => [],
    final(cards) {
      made.cards = shownOf(item, cards, titles);
      return made.cards.flatMap((card) => surface.card(card));
    },
  };
  let count = 0;
  await runAnswer(
    requestOf(item, Date.now()),
    { ...desk.ports, surface: () => part },
    {
      id: sink.id,
      signal: sink.signal,
      trace: UNTOLD,
      count: () => count,
      emit(event: StreamEvent) {
        count += 1;
        if (event.event === 'a2ui') sink.emit(event);
        if (event.event === 'report') made.report = event.data;
      },
      settle(settled) {
        made.settled = settled;
      },
    },
  );
  return made;
}

const sum = (reports: readonly Report[], value: (report: Report) => number): number =>
  reports.reduce((total, report) => total + value(report), 0);

/** One report over all items; sources that several of them rest on count once. */
async function reportOf(items: readonly Made[]): Promise<Report | null> {
  const reports = items.flatMap(({ report }) => report ?? []);
  const [first] = reports;
  if (first === undefined) return null;
  const bad = reports.find(({ ok }) => !ok);
  const fingerprints = new Map<Desk, Set<string>>();
  for (const { desk, report } of items) {
    if (desk === null || report === null) continue;
    fingerprints.set(desk, (fingerprints.get(desk) ?? new Set()).add(report.record));
  }
  // One item was checked on another record than the next: that is no verdict on the board.
  const moved = [...fingerprints.values()].some((several) => several.size > 1);
  let sources = 0;
  for (const desk of fingerprints.keys()) {
    const cards = items.filter((item) => item.desk === desk).flatMap(({ cards }) => cards);
    sources += sourcesOf(
      cards.map((card) => ({ card })),
      await desk.ports.profile(),
    );
  }
  const rows = rowsOf(items.flatMap(({ cards }) => cards.map((card) => ({ card }))));
  const code = bad?.code ?? (moved ? 'record_moved' : null);
  return {
    ok: bad === undefined && !moved,
    code,
    cards: items.reduce((total, { cards }) => total + cards.length, 0),
    figures: sum(reports, ({ figures }) => figures),
    rows,
    sources,
    record: fingerprints.size === 1 && !moved ? first.record : '',
    ms: sum(reports, ({ ms }) => ms),
    passes: Math.max(...reports.map(({ passes }) => passes)),
    changed: sum(reports, ({ changed }) => changed),
    verdicts: items.flatMap(({ item, report }) =>
      (report?.verdicts ?? [])
        .filter(({ card }) => wanted(item, card))
        .map((verdict) => ({ ...verdict, card: nameOf(item, verdict.card) })),
    ),
    since: null,
  };
}

/** What stands on the board, with what did not fit said at its end. */
function allCards(items: readonly Made[], left: number): CardData[] {
  const cards = items.flatMap((item) => item.cards);
  if (items.length === 0) return [codeCard(END_ID, 'board_empty')];
  return left === 0 ? cards : [...cards, codeCard(END_ID, 'board_full')];
}

/** The board after its drawing, ready to follow the records behind it. */
function settledOf(
  board: BoardFile,
  items: readonly Made[],
  left: number,
  surface: Surface,
  titles: Titles,
): Settled {
  const settled: Settled = {
    surface,
    shown: { title: board.name, cards: allCards(items, left), chat: [], report: null },
    plan: '',
    question: null,
    folder: '',
    planner: { kind: 'builtin', name: PLANNER, model: null },
    plannedAt: 0,
    onChange(listener) {
      const ends = [...new Set(items.flatMap(({ desk }) => desk ?? []))].map(({ ports }) =>
        ports.onChange(listener),
      );
      return () => {
        for (const end of ends) end();
      };
    },
    // A board is arranged, not changed: its cards are those of their answers.
    change: async () => 'not_found',
    async again(signal): Promise<Remade> {
      const next: Made[] = [];
      for (const made of items) {
        const remade = made.settled === null ? null : await made.settled.again(signal);
        if (remade !== null && !remade.ok) return remade;
        if (remade === null || made.settled === null) next.push(made);
        else {
          made.settled.shown = remade.shown;
          const { cards, report } = remade.shown;
          next.push({ ...made, cards: shownOf(made.item, cards, titles), report });
        }
      }
      const report = await reportOf(next);
      if (report?.code === 'record_moved') return { ok: false, code: 'record_moved' };
      return { ok: true, shown: { title: board.name, cards: allCards(next, left), chat: [], report } };
    },
  };
  return settled;
}

/**
 * Draws a board: all events into the sink, the last one being `done`.
 */
export async function runBoard(board: BoardFile, desks: Desks, sink: AnswerSink): Promise<void> {
  const started = Date.now();
  const surface = desks.first.ports.surface(sink.id, orderOf(board.items));
  sink.emit({
    event: 'open',
    data: {
      answerId: sink.id,
      surfaceId: sink.id,
      question: null,
      planner: PLANNER,
      stored: null,
      title: board.name,
    },
  });
  for (const data of surface.open()) sink.emit({ event: 'a2ui', data });
  const progress = createProgress(sink);
  const titles = new Titles();
  const items: Made[] = [];
  let cards = 0;
  for (const item of board.items) {
    if (sink.signal.aborted || cards >= LIMITS.boardCards) break;
    const made = await make(item, desks, surface, titles, sink);
    items.push(made);
    cards += made.cards.length;
    progress.card(item.card ?? item.question, items.length, board.items.length);
  }
  if (items.length > 0) progress.cardsDone(cards);
  const left = sink.signal.aborted ? 0 : board.items.length - items.length;
  const shown = allCards(items, left);
  for (const data of surface.final(shown)) sink.emit({ event: 'a2ui', data });
  const report = await reportOf(items);
  if (report !== null) sink.emit({ event: 'report', data: report });
  const code: Code | null = endedBy(sink.signal);
  if (code === null) {
    const settled = settledOf(board, items, left, surface, titles);
    settled.shown = { ...settled.shown, report };
    sink.settle(settled);
  }
  sink.emit({
    event: 'done',
    data: {
      events: sink.count() + 1,
      cards: shown.length,
      ok: code === null,
      code,
      ms: Date.now() - started,
    },
  });
}
