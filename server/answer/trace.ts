import { LIMITS } from '../../shared/limits.ts';
import type { StreamEvent, Trace, TraceCard } from '../../shared/wire.ts';
import type { Redact } from '../redact.ts';
import type { Checked, EvidenceItem, NamedPlanner, PremiseFinding, ScanEvent } from './types.ts';

/** What the steps of an answer tell about their work. Telling never fails and never waits. */
export interface Tracer {
  begin(question: string | null, planner: NamedPlanner): void;
  found(premises: readonly PremiseFinding[], evidence: readonly EvidenceItem[]): void;
  /** A piece of the plan's text, as it arrived. */
  text(piece: string): void;
  planEnd(code: string | null): void;
  scan(event: ScanEvent): void;
  preamble(read: Checked<unknown>): void;
  /** A card the server asks for, or the reading of a plan's block. */
  read(card: string, type: string | null, read: Checked<unknown> | null): void;
  /** A card is on the page; `ms` is what its queries took. */
  ready(card: string, type: string, title: string, ms: number | null): void;
  leftOut(card: string, code: string): void;
  /** One event as it was sent. */
  frame(id: number, event: StreamEvent, bytes: number): void;
}

const clip = (text: string): string =>
  text.length > LIMITS.traceText ? `${text.slice(0, LIMITS.traceText)}…` : text;
const clips = (texts: readonly string[]): string[] => texts.slice(0, LIMITS.traceEntries).map(clip);

function add<T>(list: T[], item: T, most: number): void {
  if (list.length < most) list.push(item);
}

/** What an event is about, without its content. */
function aboutOf(event: StreamEvent): string {
  switch (event.event) {
    case 'a2ui': {
      const kind = Object.keys(event.data).find((key) => key !== 'version') ?? '';
      const inner = event.data[kind];
      const path =
        typeof inner === 'object' && inner !== null && 'path' in inner && typeof inner.path === 'string'
          ? ` ${inner.path}`
          : '';
      return clip(`${kind}${path}`);
    }
    case 'progress':
      return `${event.data.step}${event.data.done ? ', done' : ''}`;
    case 'chat':
      return event.data.final ? 'final text' : 'text';
    default:
      return '';
  }
}

/**
 * Records the way of one answer, within LIMITS.trace…; everything past a bound is left out.
 * @param now clock in milliseconds
 */
export class AnswerTrace implements Tracer {
  readonly #now: () => number;
  readonly #started: number;
  readonly #cards = new Map<string, TraceCard>();
  readonly #trace: Trace;
  readonly #pieces: string[] = [];
  #chars = 0;

  constructor(answerId: string, now: () => number = Date.now) {
    this.#now = now;
    this.#started = now();
    this.#trace = {
      version: 1,
      answerId,
      question: null,
      planner: { kind: 'builtin', name: '', model: null },
      startedAt: new Date(this.#started).toISOString(),
      ended: false,
      plan: { text: '', pieces: [], endMs: null, code: null },
      premises: [],
      evidence: [],
      scan: [],
      preamble: { notes: [], code: null, issues: [] },
      cards: [],
      steps: [],
      verdicts: [],
      frames: [],
    };
  }

  /** The record so far, its texts passed through `clean`. */
  trace(clean: Redact): Trace {
    const { version, answerId, startedAt, ended, ...rest } = this.#trace;
    const text = this.#pieces.join('');
    const told = { ...rest, plan: { ...rest.plan, text }, cards: [...this.#cards.values()] };
    return { version, answerId, startedAt, ended, ...cleaned(told, clean) };
  }

  /** Milliseconds since the answer began, of the event at this index; 0 when there is none. */
  frameMs(index: number): number {
    return this.#trace.frames[index]?.ms ?? 0;
  }

  begin(question: string | null, { kind, name, model }: NamedPlanner): void {
    this.#trace.question = question === null ? null : question.slice(0, LIMITS.question);
    this.#trace.planner = { kind, name: clip(name), model: model === null ? null : clip(model) };
  }

  found(premises: readonly PremiseFinding[], evidence: readonly EvidenceItem[]): void {
    for (const { feature, measure, claimed, verdict } of premises)
      add(
        this.#trace.premises,
        { feature: feature === null ? null : clip(feature), measure, claimed: clip(claimed.text), verdict },
        LIMITS.traceEntries,
      );
    for (const { id, cite } of evidence) {
      const place = clip(cite.line === null ? cite.label : `${cite.label}:${cite.line}`);
      add(this.#trace.evidence, { id, place }, LIMITS.traceEntries);
    }
  }

  text(piece: string): void {
    const kept = piece.slice(0, Math.max(0, LIMITS.planBytes - this.#chars));
    if (kept !== '') this.#pieces.push(kept);
    this.#chars += kept.length;
    const { pieces } = this.#trace.plan;
    const last = pieces.at(-1);
    if (pieces.length < LIMITS.tracePieces || last === undefined)
      pieces.push({ ms: this.#ms(), chars: piece.length });
    else {
      last.ms = this.#ms();
      last.chars += piece.length;
      // The text is bounded by its characters, the list of its parts by joining them.
      if (this.#pieces.length > 2 * LIMITS.tracePieces)
        this.#pieces.splice(0, this.#pieces.length, this.#pieces.join(''));
    }
  }

  planEnd(code: string | null): void {
    this.#trace.plan.endMs = this.#ms();
    this.#trace.plan.code = code;
  }

  scan(event: ScanEvent): void {
    const index = event.kind === 'section' ? null : event.index;
    add(
      this.#trace.scan,
      { ms: this.#ms(), kind: event.kind, index, what: whatOf(event) },
      LIMITS.traceScans,
    );
    if (event.kind !== 'section' && index !== null) {
      const card = this.#card(`c${index}`);
      if (card === null) return;
      if (event.kind === 'draft') {
        card.draftMs ??= this.#ms();
        card.type ??= clip(event.type);
        card.title ??= clip(event.title);
      } else card.readMs ??= this.#ms();
    }
  }

  preamble(read: Checked<unknown>): void {
    this.#trace.preamble = read.ok
      ? { notes: clips(read.notes), code: null, issues: [] }
      : { notes: [], code: read.code, issues: clips(read.issues) };
  }

  read(id: string, type: string | null, read: Checked<unknown> | null): void {
    const card = this.#card(id);
    if (card === null) return;
    card.readMs ??= this.#ms();
    card.type ??= type;
    if (read?.ok) card.notes = clips(read.notes);
    else if (read) Object.assign(card, { code: read.code, issues: clips(read.issues) });
  }

  ready(id: string, type: string, title: string, ms: number | null): void {
    const card = this.#card(id);
    if (card === null) return;
    card.type = type;
    card.title = clip(title);
    card.readyMs = this.#ms();
    card.resolveMs = ms;
  }

  leftOut(id: string, code: string): void {
    const card = this.#card(id);
    if (card !== null) card.code = code;
  }

  frame(id: number, event: StreamEvent, bytes: number): void {
    const ms = this.#ms();
    const trace = this.#trace;
    add(trace.frames, { id, event: event.event, about: aboutOf(event), bytes, ms }, LIMITS.eventsKept);
    if (event.event === 'progress') this.#step(event.data, ms);
    if (event.event === 'report')
      trace.verdicts = event.data.verdicts
        .slice(0, LIMITS.traceCards)
        .map(({ card, state, reasons }) => ({ card, state, reasons: clips(reasons) }));
    if (event.event === 'done') trace.ended = true;
  }

  #step({ step, says, done }: Extract<StreamEvent, { event: 'progress' }>['data'], ms: number): void {
    const { steps } = this.#trace;
    const known = steps.find((one) => one.step === step);
    if (known === undefined)
      add(steps, { step, from: ms, to: done ? ms : null, says: clip(says) }, LIMITS.traceEntries);
    else Object.assign(known, { to: done ? ms : known.to, says: clip(says) });
  }

  #ms(): number {
    return Math.max(0, this.#now() - this.#started);
  }

  #card(id: string): TraceCard | null {
    const known = this.#cards.get(id);
    if (known !== undefined) return known;
    if (this.#cards.size >= LIMITS.traceCards) return null;
    const card: TraceCard = {
      card: id,
      type: null,
      title: null,
      draftMs: null,
      readMs: null,
      readyMs: null,
      resolveMs: null,
      notes: [],
      code: null,
      issues: [],
    };
    this.#cards.set(id, card);
    return card;
  }
}

function whatOf(event: ScanEvent): string {
  switch (event.kind) {
    case 'section':
      return clip(event.key);
    case 'draft':
      return clip(`${event.type}: ${event.title}`);
    case 'problem':
      return event.code;
    case 'block':
      return '';
  }
}

/** The same value with every text of it passed through `clean`. The shapes are our own and of known depth. */
function cleaned<T>(value: T, clean: Redact): T {
  return JSON.parse(JSON.stringify(value), (_key, one: unknown) =>
    typeof one === 'string' ? clean(one) : one,
  );
}
