import type { Paragraph } from '../../shared/cards.ts';
import { CODES, type Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Report, Since } from '../../shared/wire.ts';
import { type AnswerSink, endedBy } from './answers.ts';
import type { Board } from './board.ts';
import { codeCard } from './code-card.ts';
import { AbortedError, within } from './deadline.ts';
import type { AnswerPorts, PlanText, StoredPlan } from './ports.ts';
import type { Progress } from './progress.ts';
import { type CheckedCard, type Reconciled, reconcile, unchecked } from './reconcile.ts';
import type { VerifiedAnswer } from './types.ts';

export interface Finish {
  board: Board;
  sink: AnswerSink;
  ports: AnswerPorts;
  progress: Progress;
  plan: PlanText;
  question: string | null;
  /** Features the conversation is about, as the planner was told. */
  about: readonly string[];
  /** Follow-ups for the case that the check has none. */
  followUps: readonly string[];
  /** Epoch ms at which the answer began. */
  started: number;
  /** The kept plan it was answered with, or null. */
  stored: StoredPlan | null;
}

export interface Finished {
  code: Code | null;
  report: Report | null;
  /** Whole fingerprint of the record the check ran on, or null when there was none. */
  fingerprint: string | null;
  /** What the check says beside the cards; empty when there was none. */
  chat: Paragraph[];
}

/** The last part of an answer: the check, the final version of every card, the report, follow-ups, `done`. */
export async function finish(options: Finish): Promise<Finished> {
  const { board, sink, plan, stored } = options;
  const toCheck = board.cards().some((card) => !board.kept.has(card.id));
  const verified = toCheck && !sink.signal.aborted ? await check(options) : null;
  const ended = endedBy(sink.signal);
  let report: Report | null = null;

  if (ended !== null) {
    const why = CODES[ended].says;
    board.final(unchecked(board.cards(), board.kept, why).cards);
  } else if (toCheck) {
    const result = settle(board, verified);
    board.final(result.cards);
    if (verified !== null && verified.chat.length > 0)
      sink.emit({ event: 'chat', data: { paragraphs: verified.chat, final: true } });
    report = reportOf(verified, result, sinceOf(stored, verified, result));
  } else {
    board.final(board.cards());
    if (plan.code === 'record_gone') report = GONE;
  }
  if (report !== null) sink.emit({ event: 'report', data: report });

  const items = verified !== null && verified.followUps.length > 0 ? verified.followUps : options.followUps;
  if (items.length > 0 && ended === null)
    sink.emit({ event: 'suggestions', data: { items: items.slice(0, LIMITS.followUps) } });
  const code: Code | null = ended ?? plan.code;
  sink.emit({
    event: 'done',
    data: {
      events: sink.count() + 1,
      cards: board.ready,
      ok: code === null,
      code,
      ms: Date.now() - options.started,
    },
  });
  return { code, report, fingerprint: verified?.fingerprint ?? null, chat: verified?.chat ?? [] };
}

/** What changed since a kept plan was made; null when there is none, or no verdict that could be set against then. */
function sinceOf(
  stored: StoredPlan | null,
  verified: VerifiedAnswer | null,
  result: Reconciled,
): Since | null {
  if (stored === null || verified === null || verified.code === 'record_moved') return null;
  return stored.since(result.cards, verified.fingerprint);
}

/** Nothing was checked, because the record an answer was about is not loaded any more. */
const GONE: Report = {
  ok: false,
  code: 'record_gone',
  cards: 0,
  figures: 0,
  sources: 0,
  record: '',
  ms: 0,
  passes: 0,
  changed: 0,
  verdicts: [],
  since: { changed: true, gone: true, figures: [], total: 0 },
};

/** The verifier's word, or null when there is none. */
async function check({
  sink,
  ports,
  progress,
  plan,
  question,
  about,
}: Finish): Promise<VerifiedAnswer | null> {
  const step = progress.begin('verify', 'Checking every figure a second time');
  const own = new AbortController();
  try {
    const signal = AbortSignal.any([sink.signal, own.signal]);
    const work = ports.verify({ text: plan.text, question, about, signal });
    const verified = await within(work, LIMITS.verifyMs, 'verify', sink.signal);
    step.end(
      verified.code === 'record_moved' ? CODES.record_moved.title : 'Every figure checked a second time',
      verified.figures,
      null,
    );
    return verified;
  } catch (error) {
    if (!(error instanceof AbortedError)) ports.log.warn({ err: error }, 'the check failed');
    step.end(CODES.verify_failed.title, null, null);
    return null;
  } finally {
    own.abort();
  }
}

/** Final cards and verdicts out of what was streamed and what the verifier says. */
function settle(board: Board, verified: VerifiedAnswer | null): Reconciled {
  if (verified === null) return unchecked(board.cards(), board.kept, CODES.verify_failed.says);
  if (verified.code === 'record_moved') return unchecked(board.cards(), board.kept, CODES.record_moved.says);
  return reconcile({
    streamed: board.streamed(),
    checked: new Map(verified.cards.map((one): [string, CheckedCard] => [one.card.id, one])),
    refused: new Map(
      verified.refused.map(({ id, code, reason }) => [id, { card: codeCard(id, code), reason }]),
    ),
    kept: board.kept,
    unread: verified.code === null ? null : CODES[verified.code].says,
  });
}

function reportOf(verified: VerifiedAnswer | null, result: Reconciled, since: Since | null): Report {
  return {
    ok: verified !== null && verified.code === null,
    code: verified === null ? 'verify_failed' : verified.code,
    cards: result.verdicts.length,
    figures: verified?.figures ?? 0,
    sources: verified?.sources ?? 0,
    record: verified?.fingerprint.slice(0, 12) ?? '',
    ms: verified?.ms ?? 0,
    passes: verified?.passes ?? 0,
    changed: result.changed,
    verdicts: result.verdicts,
    since,
  };
}
