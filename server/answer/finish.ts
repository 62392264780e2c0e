import type { Paragraph } from '../../shared/cards.ts';
import { CODES, type Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Report, Since, Took } from '../../shared/wire.ts';
import { type AnswerSink, endedBy } from './answers.ts';
import type { Board } from './board.ts';
import { codeCard } from './code-card.ts';
import type { PlanText, StoredPlan } from './ports.ts';
import type { Progress } from './progress.ts';
import { type CheckedCard, type Reconciled, reconcile, unchecked } from './reconcile.ts';
import type { SecondReading } from './second-reading.ts';
import type { VerifiedAnswer } from './types.ts';
import { uncheckedChat, withoutFigures } from './unread.ts';

export interface Finish {
  board: Board;
  sink: AnswerSink;
  progress: Progress;
  plan: PlanText;
  /** The verifier at work; null where the answer has no plan it could read. */
  check: SecondReading | null;
  /** What was said beside the cards. */
  chat: readonly Paragraph[];
  /** Names of the record that hold numbers. */
  names: readonly string[];
  /** Follow-ups for the case that there is no check, and the server's own for the case that none of them is left. */
  followUps: readonly string[];
  suggestions: readonly string[];
  /** Epoch ms at which the answer began. */
  started: number;
  /** What else is known of how long it took. */
  took: Took;
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
  const verified = sink.signal.aborted ? null : ((await options.check?.verdict(options.progress)) ?? null);
  const ended = endedBy(sink.signal);
  let report: Report | null = null;

  if (ended !== null) {
    const why = CODES[ended].says;
    board.final(unchecked(board.cards(), board.kept, why, options.names).cards);
  } else if (toCheck || options.check !== null) {
    const result = settle(options, verified);
    board.final(result.cards);
    const chat = isRead(verified) ? verified.chat : uncheckedChat(options.chat);
    if (chat.length > 0) sink.emit({ event: 'chat', data: { paragraphs: chat, final: true } });
    report = reportOf(verified, plan, result, sinceOf(stored, verified, result));
  } else {
    board.final(board.cards());
    if (plan.code === 'record_gone') report = GONE;
  }
  if (report !== null) sink.emit({ event: 'report', data: report });

  const checked = isRead(verified) ? verified.followUps : withoutFigures(options.followUps, options.names);
  const items = checked.length > 0 ? checked : options.suggestions;
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
      took: options.took,
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
  rows: 0,
  sources: 0,
  record: '',
  ms: 0,
  passes: 0,
  changed: 0,
  verdicts: [],
  since: { changed: true, gone: true, figures: [], total: 0 },
};

/** Whether the verifier has read the plan and has a verdict on it. */
const isRead = (verified: VerifiedAnswer | null): verified is VerifiedAnswer =>
  verified !== null && verified.code === null;

/** Final cards and verdicts out of what was streamed and what the verifier says. */
function settle({ board, names }: Finish, verified: VerifiedAnswer | null): Reconciled {
  if (verified === null) return unchecked(board.cards(), board.kept, CODES.verify_failed.says, names);
  if (verified.code === 'record_moved')
    return unchecked(board.cards(), board.kept, CODES.record_moved.says, names);
  return reconcile({
    streamed: board.streamed(),
    checked: new Map(verified.cards.map((one): [string, CheckedCard] => [one.card.id, one])),
    refused: new Map(
      verified.refused.map(({ id, code, reason }) => [id, { card: codeCard(id, code), reason }]),
    ),
    kept: board.kept,
    unread: verified.code === null ? null : CODES[verified.code].says,
    names,
  });
}

function reportOf(
  verified: VerifiedAnswer | null,
  plan: PlanText,
  result: Reconciled,
  since: Since | null,
): Report {
  // Why there is no whole plan is known better by who waited for it.
  const unread = verified?.code === null ? null : (plan.code ?? verified?.code ?? null);
  return {
    ok: verified !== null && verified.code === null,
    code: verified === null ? 'verify_failed' : verified.code === 'record_moved' ? 'record_moved' : unread,
    cards: result.verdicts.length,
    figures: verified?.figures ?? 0,
    rows: verified?.rows ?? 0,
    sources: verified?.sources ?? 0,
    record: verified?.fingerprint.slice(0, 12) ?? '',
    ms: verified?.ms ?? 0,
    passes: verified?.passes ?? 0,
    changed: result.changed,
    verdicts: result.verdicts,
    since,
  };
}
