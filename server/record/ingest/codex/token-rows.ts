import { objectIn } from '../json-quiet.ts';
import { event, type Handler, idIn, UNCHANGED } from './rollout-entry.ts';
import { countTokens, vectorText } from './token-count.ts';
import { ofTurn } from './turns.ts';

/** A token count as rows: a model call, if it tells one. */
export const tokenCount: Handler = (entry) => {
  const { state, source, no, ms } = entry;
  const info = objectIn(entry.payload, 'info');
  const counted = countTokens(info, state.total);
  if (counted.is === 'inherited') {
    if ((counted.total?.total ?? 0) > 0)
      event(entry, 'inherited_total', 'A total of tokens that was there before; nothing was added to it.');
    return { total: counted.total };
  }
  if (counted.is !== 'call') return UNCHANGED;
  const { tokens, last, total, quality } = counted;
  if (quality === 'estimated' && !state.estimated)
    source.issue(
      'totals_differ',
      'info',
      no,
      'This token count does not say plainly what one call used, so that was worked out from its figures, here and in others like it.',
    );
  const n = state.n + 1;
  entry.add('llm_requests_told', {
    told_id: `${source.id}.${no}`,
    n,
    totals: total === null ? null : vectorText(total),
    last: vectorText(last),
    model: idIn(info, 'model') ?? state.turn.model,
    started_at_ms: state.askedMs !== null && ms !== null && state.askedMs <= ms ? state.askedMs : null,
    ended_at_ms: ms,
    in_uncached: tokens.uncached,
    in_cache_read: tokens.cached,
    in_cache_write_5m: tokens.cacheWrite,
    out_total: tokens.output,
    out_reasoning: tokens.reasoning,
    token_quality: quality,
    status: 'ok',
    ...ofTurn(entry, state.turn),
  });
  return {
    n,
    estimated: state.estimated || quality === 'estimated',
    total: total ?? state.total,
    turn: { ...state.turn, counted: true },
  };
};
