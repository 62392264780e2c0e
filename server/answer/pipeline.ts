import { ago } from '../../shared/ago.ts';
import type { CardData, Paragraph } from '../../shared/cards.ts';
import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { AnyBlock, Block } from '../../shared/plan.ts';
import { carriedSubject } from '../planner/subject.ts';
import { isEmptyRecord } from '../record/empty.ts';
import { QueryError, type RecordProfile } from '../record/store.ts';
import { type AnswerSink, endedBy } from './answers.ts';
import { Board } from './board.ts';
import { codeCard } from './code-card.ts';
import { turnOf } from './conversation.ts';
import { AbortedError, DeadlineError, within } from './deadline.ts';
import { finish } from './finish.ts';
import { headingOf, lookAhead, openRecord } from './groundwork.ts';
import { fallenBack, type Instead, isRepairable, repaired } from './instead.ts';
import { namesOf } from './known-names.ts';
import { cardId, END_ID, premiseBlocks, premiseId, standingBlocks, withPlanPremises } from './placing.ts';
import type { AnswerPorts, AnswerRequest, PlanReader, PlanText, StoredPlan, Surface } from './ports.ts';
import { createProgress, type Progress } from './progress.ts';
import { type ReadPlan, readPlan } from './read-plan.ts';
import { cleanText, cutText } from './sanitize.ts';
import type { Scanner } from './scanner.ts';
import { beginSecondReading, type SecondReading } from './second-reading.ts';
import { settledOf } from './settle.ts';
import { withNotes } from './trimmed.ts';
import type { NamedPlanner, Preamble, Resolver, ScanEvent, Tokens } from './types.ts';

/** Sections that stand before the blocks; once all are there the queries can begin. */
const BEFORE_BLOCKS = ['about', 'facts', 'premises', 'checks'] as const;

/** Codes after which a person is helped by questions that can be answered. */
const WITH_SUGGESTIONS = new Set<Code>([
  'not_understood',
  'plan_invalid',
  'plan_empty',
  'no_model_key',
  'model_refused',
]);

/** Says that a planner was replaced, and why. */
const replacedCard = (code: Code): CardData => codeCard(END_ID, code, 'Answered by the built-in planner');

/** Tokens of several requests for one plan. */
const added = (before: Tokens | null, more: Tokens): Tokens =>
  before === null ? more : { in: before.in + more.in, out: before.out + more.out };

/** What people are told of an error: a query that says itself how it ended is believed. */
function failureOf(error: unknown): Code {
  if (error instanceof QueryError) return error.code;
  return error instanceof DeadlineError ? 'query_timeout' : 'query_failed';
}

/**
 * The way of one answer, from question to `done`. Every failure on it becomes an ordinary card; cards already there stay.
 * Writes all events into the sink, the last one being `done`. Rejects only for a defect of its own.
 */
export async function runAnswer(request: AnswerRequest, ports: AnswerPorts, sink: AnswerSink): Promise<void> {
  const answer = new RunningAnswer(request, ports, sink);
  await answer.run();
}

class RunningAnswer {
  readonly #started = Date.now();
  readonly #request: AnswerRequest;
  readonly #ports: AnswerPorts;
  readonly #sink: AnswerSink;
  readonly #board: Board;
  readonly #surface: Surface;
  readonly #progress: Progress;
  readonly #sections = new Map<string, unknown>();
  readonly #tasks: Promise<void>[] = [];
  readonly #blocks = new Map<number, Block>();
  #premises: AnyBlock[] = [];
  /** Features the conversation is about. */
  #about: readonly string[] = [];
  #stored: StoredPlan | null;
  #resolver: Resolver | null = null;
  #reader: PlanReader | null = null;
  #preamble: Preamble = { about: { feature: null, scope: [] }, facts: [], premises: [], checks: [] };
  #prepared: Promise<void> | null = null;
  #planned = 0;
  #firstCardMs: number | null = null;
  #firstTextMs: number | null = null;
  #over = false;
  #factsKnown = false;
  #chatted = false;
  #title: string | null = null;
  #tokens: Tokens | null = null;
  /** What was wrong with blocks of the plan, for its writer. */
  readonly #faults: string[] = [];
  /** Why a planner was replaced by the one it falls back on, or null. */
  #replaced: Code | null = null;
  #by: NamedPlanner | null = null;
  readonly #dropped = new Set<string>();
  readonly #trimmed = new Set<string>();
  /** Ends when the first card stands, or none will come. */
  readonly #begun: Promise<void>;
  #cardsBegun = (): void => undefined;
  #check: SecondReading | null = null;
  #chatSaid: Paragraph[] = [];

  constructor(request: AnswerRequest, ports: AnswerPorts, sink: AnswerSink) {
    this.#request = request;
    this.#stored = request.stored;
    this.#ports = ports;
    this.#sink = sink;
    this.#surface = ports.surface(sink.id);
    this.#board = new Board(this.#surface, sink);
    this.#progress = createProgress(sink);
    this.#begun = new Promise((resolve) => {
      this.#cardsBegun = resolve;
    });
  }

  async run(): Promise<void> {
    const { question, planner } = this.#request;
    const { signal, trace } = this.#sink;
    trace.begin(question, planner);
    // Only the heading of the starting view, and the word that a plan is there already, have to wait for the record.
    if (question !== null && this.#request.recall === null) this.#open(null);
    let text = '';
    let code: Code | null;
    let profile: RecordProfile | null = null;
    try {
      profile = await openRecord(this.#ports, signal);
      if (question === null) this.#open(await headingOf(this.#request.title, profile, this.#ports, signal));
      else await this.#recall(profile);
      if (this.#stored?.gone(profile)) code = 'record_gone';
      else if (isEmptyRecord(profile)) code = 'record_empty';
      else ({ text, code } = await this.#answer(profile));
    } catch (error) {
      if (!(error instanceof AbortedError))
        this.#ports.log.warn({ err: error, answer: this.#sink.id }, 'the record could not be read');
      code = failureOf(error);
    }
    if (this.#sink.count() === 0) this.#open(null);
    const ended = endedBy(signal);
    if (ended !== null) code = ended;
    else if (code === null && this.#board.ready === 0) code = 'plan_empty';
    else if (code === null && this.#replaced !== null) this.#show(replacedCard(this.#replaced), true);
    else if (code === null && this.#over) this.#show(codeCard(END_ID, 'too_many_cards'), true);
    if (code !== null && (ended === null || this.#board.ready === 0)) {
      const suggestions =
        profile === null || !WITH_SUGGESTIONS.has(code) ? [] : this.#ports.suggestions(profile);
      this.#show(codeCard(END_ID, code, null, suggestions), true);
    }
    const finished = await finish({
      board: this.#board,
      sink: this.#sink,
      progress: this.#progress,
      plan: { text, code },
      check: this.#check,
      chat: this.#chatSaid,
      names: profile === null ? [] : namesOf(profile),
      followUps: this.#followUps(profile),
      suggestions: profile === null ? [] : this.#ports.suggestions(profile),
      started: this.#started,
      took: { firstTextMs: this.#firstTextMs, firstCardMs: this.#firstCardMs, tokens: this.#tokens },
      stored: this.#stored,
    });
    const { report, fingerprint, chat } = finished;
    const settled = settledOf(
      {
        id: this.#sink.id,
        request: this.#request,
        ports: this.#ports,
        surface: this.#surface,
        plan: text,
        code: finished.code,
        stored: this.#stored,
        startedAt: this.#started,
        shown: { title: this.#title, cards: this.#board.cards(), chat, report },
      },
      runAnswer,
    );
    if (settled !== null) this.#sink.settle(settled);
    if (question !== null)
      this.#request.keep(
        {
          plan: text,
          by: this.#by,
          code: finished.code,
          cards: this.#board.cards(),
          report,
          fingerprint: fingerprint ?? profile?.fingerprint ?? '',
          ms: Date.now() - this.#started,
          firstCardMs: this.#firstCardMs,
          tokens: this.#tokens,
          dropped: [...this.#dropped],
          trimmed: [...this.#trimmed],
        },
        this.#stored,
      );
    this.#ports.log.info(
      {
        answer: this.#sink.id,
        planner: this.#request.planner.name,
        stored: this.#stored !== null,
        code,
        cards: this.#board.ready,
        firstCardMs: this.#firstCardMs,
        ms: Date.now() - this.#started,
      },
      'answered',
    );
  }

  /** Takes a plan that was kept, if there is one for this record. Without it the planner is asked. */
  async #recall(profile: RecordProfile): Promise<void> {
    const { recall } = this.#request;
    if (recall === null) return;
    try {
      this.#stored = await within(recall(profile), LIMITS.resolveMs, 'archive', this.#sink.signal);
    } catch (error) {
      if (error instanceof AbortedError) throw error;
      this.#ports.log.warn({ err: error }, 'kept plans could not be looked at');
    }
    this.#open(null);
  }

  #open(title: string | null): void {
    this.#title = title;
    const { planner, question } = this.#request;
    const stored = this.#stored;
    this.#sink.emit({
      event: 'open',
      data: {
        answerId: this.#sink.id,
        surfaceId: this.#sink.id,
        question,
        planner: planner.name,
        stored:
          stored === null ? null : { askedAt: stored.askedAt, ageMs: stored.ageMs, older: stored.older },
        title,
        projects: [...this.#request.projects],
      },
    });
    this.#board.open();
  }

  #followUps(profile: RecordProfile | null): string[] {
    const own = this.#reader?.followUps(this.#sections.get('followUps')) ?? [];
    return own.length > 0 || profile === null ? own : this.#ports.suggestions(profile);
  }

  async #answer(profile: RecordProfile): Promise<{ text: string; code: Code | null }> {
    const { question, turns } = this.#request;
    const stored = this.#stored;
    const planner = stored?.planner ?? this.#request.planner;
    const { signal } = this.#sink;
    const ports = this.#ports;
    const store = ports.store();
    if (question !== null)
      this.#about =
        stored !== null && turns.length === 0 ? stored.about : carriedSubject(question, turns, profile);
    const [premises, evidence] =
      question === null
        ? [[], []]
        : await lookAhead(question, this.#about, { profile, store }, ports, this.#progress, signal);
    this.#sink.trace.found(premises, evidence);
    this.#reader = ports.reader(profile, question, evidence);
    const resolver = ports.resolver({
      store,
      profile,
      evidence,
      signal,
      question,
      stage: 'stream',
    });
    this.#resolver = resolver;
    this.#premises = premiseBlocks(premises);
    const ready = Promise.all(
      this.#premises.map((block, index) => this.#resolve(resolver, block, premiseId(index))),
    );
    ready.catch(() => undefined);
    const made = stored === null ? null : `the plan made ${ago(stored.ageMs)}`;
    // The plan of a failure is checked like any other: what stands beside it was read from the record too.
    const check = (plan: PlanText): void => {
      const about = this.#about;
      const sink = this.#sink;
      this.#check = beginSecondReading({ sink, ports, plan, question, about }, this.#begun);
    };
    const step = this.#progress.begin('plan', made === null ? 'Reading the plan' : `Using ${made}`);
    const reading = {
      planner,
      request: {
        question: question ?? '',
        turns,
        profile,
        evidence,
        premises,
        onTokens: (tokens: Tokens) => {
          this.#tokens = added(this.#tokens, tokens);
        },
      },
      signal,
      onText: (piece: string) => {
        this.#firstTextMs ??= Date.now() - this.#started;
        this.#sink.trace.text(piece);
      },
      log: ports.log,
    };
    const first = await readPlan({
      ...reading,
      scanner: ports.scanner(),
      ready,
      onEvent: (event) => this.#take(event),
    });
    this.#sink.trace.planEnd(first.code);
    const cards = this.#planned;
    const read = made === null ? 'Plan read' : `Answered from ${made}`;
    step.end(`${read}, ${cards} ${cards === 1 ? 'card' : 'cards'}`, cards, null);
    if (this.#sections.size > 0) this.#begin();
    check(first);
    const instead = await this.#instead(first, { ...reading, scanner: () => ports.scanner() });
    if (instead !== null) {
      this.#check?.drop();
      check(instead.plan);
      this.#adopt(instead, ports.resolver({ store, profile, evidence, signal, question, stage: 'stream' }));
    }
    const plan = instead?.plan ?? first;
    for (const { id, block } of standingBlocks(question, profile))
      this.#tasks.push(this.#resolve(resolver, block, id));
    await Promise.all(this.#tasks);
    this.#cardsBegun();
    if (this.#board.ready > 0) this.#progress.cardsDone(this.#board.ready);
    if (!signal.aborted && plan.code === null) this.#board.end();
    if (question !== null && this.#blocks.size > 0) {
      const inOrder = [...this.#blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
      this.#request.remember(turnOf(question, this.#preamble, inOrder));
    }
    return plan;
  }

  /** Another plan for one that could not be used, or not as a whole: put right by its writer, else by the planner to fall back on. */
  async #instead(
    plan: PlanText,
    { scanner, ...reading }: Omit<ReadPlan, 'scanner' | 'onEvent' | 'ready'> & { scanner(): Scanner },
  ): Promise<Instead | null> {
    const { planner, signal } = reading;
    if (planner.repair === undefined && planner.fallback === undefined) return null;
    // Blocks are read as they come; what is wrong with them is known when they are.
    await Promise.all(this.#tasks);
    if (signal.aborted) return null;
    const mendable = isRepairable(plan, this.#faults) && planner.repair !== undefined;
    const replaceable = this.#blocks.size === 0 && planner.fallback !== undefined;
    if (!mendable && !replaceable) return null;
    const step = this.#progress.begin('plan', 'Having the plan put right');
    let found = await repaired({ ...reading, scanner: scanner() }, plan, this.#faults);
    if (found === null && this.#blocks.size === 0) {
      found = await fallenBack({ ...reading, scanner: scanner() });
      if (found !== null) {
        this.#replaced = plan.code ?? 'plan_invalid';
        this.#by = found.planner;
      }
    }
    step.end(
      found === null
        ? 'The plan stays as it is'
        : this.#replaced === null
          ? 'Plan put right'
          : 'Planned by the built-in planner',
      found?.blocks.size ?? null,
      null,
    );
    return found;
  }

  /** Goes on with another plan: cards that stand stay where they are, what is missing is made; the check reads the new one. */
  #adopt({ sections, blocks }: Instead, resolver: Resolver): void {
    this.#sections.clear();
    for (const [key, value] of sections) this.#sections.set(key, value);
    this.#resolver = resolver;
    this.#prepared = null;
    this.#begin();
    for (const [index, value] of blocks) {
      const id = cardId(index);
      if (index >= LIMITS.blocks || (this.#board.get(id) !== undefined && !this.#dropped.has(id))) continue;
      this.#dropped.delete(id);
      this.#board.kept.delete(id);
      this.#tasks.push(this.#block(index, value));
    }
  }

  #take(event: ScanEvent): void {
    this.#sink.trace.scan(event);
    if (event.kind === 'section') {
      this.#sections.set(event.key, event.value);
      if (BEFORE_BLOCKS.every((key) => this.#sections.has(key))) this.#begin();
      if (event.key === 'explanation') this.#chat();
      return;
    }
    const { index } = event;
    if (index === null) return;
    if (index >= LIMITS.blocks) {
      this.#over = true;
      return;
    }
    const id = cardId(index);
    if (event.kind !== 'draft') this.#planned += 1;
    this.#begin();
    if (event.kind === 'draft')
      this.#board.draft(id, event.type, cutText(cleanText(event.title), LIMITS.title));
    else if (event.kind === 'problem') {
      this.#faults.push(`block ${index}: ${event.code}`);
      this.#leaveOut(id, event.code);
    } else this.#tasks.push(this.#block(index, event.value));
  }

  #begin(): void {
    if (this.#prepared !== null) return;
    this.#prepared = this.#prepare();
    this.#tasks.push(this.#prepared);
  }

  /** Runs the facts, then says what stands before the cards: the explanation, and premises the plan brings itself. */
  async #prepare(): Promise<void> {
    const resolver = this.#resolver;
    const reader = this.#reader;
    if (resolver === null || reader === null) return;
    const read = reader.preamble(this.#sections);
    this.#sink.trace.preamble(read);
    if (read.ok) this.#preamble = read.value;
    else
      this.#ports.log.warn({ code: read.code, issues: read.issues.slice(0, 5) }, 'facts of a plan refused');
    try {
      await within(resolver.preamble(this.#preamble), LIMITS.resolveMs, 'facts', this.#sink.signal);
    } catch (error) {
      if (error instanceof AbortedError) return;
      // Cards that use the facts say themselves that they are missing.
      this.#ports.log.warn({ err: error }, 'the facts of a plan failed');
    }
    this.#factsKnown = true;
    this.#chat();
    const known = this.#premises;
    this.#premises = withPlanPremises(known, resolver.premiseBlocks());
    const more = this.#premises.slice(known.length);
    await Promise.all(
      more.map((block, index) => this.#resolve(resolver, block, premiseId(known.length + index))),
    );
  }

  /** Said once, as soon as both the explanation and the facts it uses are there. */
  #chat(): void {
    if (!this.#factsKnown || this.#chatted || !this.#sections.has('explanation')) return;
    this.#chatted = true;
    const sentences = this.#reader?.explanation(this.#sections.get('explanation')) ?? [];
    const paragraphs = this.#resolver?.prose(sentences) ?? [];
    this.#chatSaid = paragraphs;
    if (paragraphs.length > 0) this.#sink.emit({ event: 'chat', data: { paragraphs, final: false } });
  }

  async #block(index: number, value: unknown): Promise<void> {
    const resolver = this.#resolver;
    const reader = this.#reader;
    if (resolver === null || reader === null) return;
    await this.#prepared;
    if (this.#sink.signal.aborted) return;
    const id = cardId(index);
    const read = reader.block(value, this.#preamble);
    this.#sink.trace.read(id, read.ok ? read.value.type : null, read);
    if (!read.ok) {
      this.#faults.push(`block ${index}: ${read.issues.slice(0, 5).join('; ')}`);
      this.#ports.log.info({ card: id, code: read.code, issues: read.issues.slice(0, 5) }, 'card left out');
      this.#leaveOut(id, read.code);
      return;
    }
    this.#blocks.set(index, read.value);
    if (read.notes.length > 0) this.#trimmed.add(id);
    await this.#resolve(resolver, read.value, id, read.notes);
  }

  async #resolve(resolver: Resolver, block: AnyBlock, id: string, notes: string[] = []): Promise<void> {
    const { trace, signal } = this.#sink;
    trace.read(id, block.type, null);
    const asked = performance.now();
    try {
      const card = await within(resolver.card(block, id), LIMITS.resolveMs, id, signal);
      const ms = performance.now() - asked;
      this.#show(withNotes(card, notes));
      trace.ready(id, card.type, card.title, ms);
    } catch (error) {
      if (error instanceof AbortedError) return;
      this.#ports.log.warn({ err: error, card: id }, 'a card failed');
      this.#leaveOut(id, failureOf(error));
    }
  }

  #leaveOut(id: string, code: Code): void {
    this.#dropped.add(id);
    this.#sink.trace.leftOut(id, code);
    this.#show(codeCard(id, code), true);
  }

  #show(card: CardData, kept = false): void {
    if (this.#sink.signal.aborted && card.id !== END_ID) return;
    this.#board.show(card, kept);
    this.#firstCardMs ??= Date.now() - this.#started;
    this.#cardsBegun();
    if (card.id !== END_ID) this.#progress.card(card.title, this.#board.ready, this.#board.known);
  }
}
