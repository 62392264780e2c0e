import { plainText } from '../json-plain.ts';
import { listIn, numberIn, objectIn, textIn } from '../json-quiet.ts';
import { visibleText } from '../visible.ts';
import { at, copyKey, event, type Handler } from './rollout-entry.ts';
import { shortText } from './tools.ts';

/** Findings of one review that are kept. */
const FINDINGS = 200;

/** A review begins: calls from here on are the reviewer's. */
export const reviewBegins: Handler = (entry) => {
  const hint = textIn(entry.payload, 'user_facing_hint') ?? textIn(entry.payload, 'prompt') ?? '';
  event(entry, 'review_started', hint);
  return { review: { startedMs: entry.ms } };
};

/**
 * A review ends, with findings and a judgement of the whole, or without any. It advises: nothing is held back by it, and whose
 * fault it is that something was found is not said.
 */
export const reviewEnds: Handler = (entry) => {
  const { payload, source, no, ms, session, state } = entry;
  const output = objectIn(payload, 'review_output');
  const findings = listIn(output, 'findings');
  for (const [part, finding] of findings.slice(0, FINDINGS).entries()) {
    if (finding.kind !== 'object') continue;
    const priority = numberIn(finding, 'priority');
    event(entry, 'review_finding', textIn(finding, 'title') ?? textIn(finding, 'body') ?? '', {
      level: priority !== null && priority <= 1 ? 'error' : 'warning',
      data: plainText(finding),
      part,
    });
  }
  if (findings.length > FINDINGS)
    source.issue(
      'too_many_entries',
      'warning',
      no,
      `This review has ${findings.length} findings; the first ${FINDINGS} were read.`,
    );
  const judged = textIn(output, 'overall_correctness');
  const verdict =
    judged === null
      ? 'no_verdict'
      : /\bincorrect\b/i.test(judged)
        ? 'block'
        : /\bcorrect\b/i.test(judged)
          ? 'pass'
          : 'no_verdict';
  const confidence = numberIn(output, 'overall_confidence_score');
  const reason = textIn(output, 'overall_explanation');
  const startedMs = state.review?.startedMs ?? null;
  const known = startedMs !== null && ms !== null && ms >= startedMs;
  entry.add('gate_events', {
    gate_event_id: `${source.id}.${no}`,
    gate: 'review',
    verdict,
    attribution: 'unknown',
    confidence: confidence !== null && confidence >= 0 && confidence <= 1 ? confidence : null,
    reason: reason === null ? null : visibleText(shortText(reason)),
    started_at_ms: startedMs,
    ended_at_ms: ms,
    duration_ms: known ? ms - startedMs : null,
    session_id: session,
    copy_key: copyKey(entry, 'review', reason ?? ''),
    ...at(entry),
  });
  return { review: null };
};
