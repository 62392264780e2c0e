/** Columns of a call that its first row tells, and where that row is silent the next that is not. */
const SAID = [
  'channel',
  'provider',
  'run_id',
  'session_id',
  'feature_id',
  'attempt_n',
  'model',
  'speed',
  'tier',
  'effort',
  'query_source',
  'cwd',
  'git_branch',
  'status',
  'http_status',
  'source_id',
  'source_kind',
  'source_line',
] as const;
/** A message is told while it grows: of each class of tokens the largest figure is the whole. */
const GROWN = [
  'in_uncached',
  'in_cache_read',
  'in_cache_write_5m',
  'in_cache_write_1h',
  'out_total',
  'out_reasoning',
  'web_searches',
  'duration_ms',
  'ttft_ms',
  'cost_reported_uusd',
  'ended_at_ms',
] as const;
const INPUT = ['in_uncached', 'in_cache_read', 'in_cache_write_5m', 'in_cache_write_1h'] as const;

const list = (columns: readonly string[], one: (column: string) => string): string =>
  columns.map(one).join(', ');
const sum = (columns: readonly string[], one: (column: string) => string): string =>
  columns.map(one).join(' + ');

/** Micro-dollars per million tokens times tokens; a class without tokens costs nothing, whether it has a price or not. */
const part = (tokens: string, price: string): string =>
  `CASE WHEN coalesce(${tokens}, 0) = 0 THEN CAST(0 AS HUGEINT) ELSE CAST(${tokens} AS HUGEINT) * ${price} END`;
const COST = `${part('in_uncached', 'in_uusd_per_mtok')} + ${part('in_cache_read', 'cache_read_uusd_per_mtok')} + ${part('in_cache_write_5m', 'cache_write_5m_uusd_per_mtok')}
   + ${part('in_cache_write_1h', 'cache_write_1h_uusd_per_mtok')} + ${part('out_total', 'out_uusd_per_mtok')} + 1000000 * (${part('web_searches', 'web_search_uusd')})`;
const WITHOUT_CACHE = `${part(`(${sum(INPUT, (column) => `coalesce(${column}, 0)`)})`, 'in_uusd_per_mtok')} + ${part('out_total', 'out_uusd_per_mtok')}
   + 1000000 * (${part('web_searches', 'web_search_uusd')})`;
/** Whole micro-dollars of millionths of them, half a one upwards; NULL where no integer of the database holds it. */
const rounded = (millionths: string): string => `TRY_CAST((${millionths} + 500000) // 1000000 AS BIGINT)`;

/**
 * One row a billed model call, with its price and what it worked on. Calls are counted in request_rows; what telemetry says of a
 * counted call adds its times, its duration and the cost it reports, never tokens (but for output that the transcript itself marks as
 * a lower bound).
 *
 * Cost: \`cost_computed_uusd\` from the price list at the call's own model, time, speed, tier and size; \`cost_reported_uusd\` what the
 * source says; \`cost_uusd\` counts and \`cost_source\` says which it is: reported (unless it is 0 though there are tokens), else
 * computed; not_billed is a call that failed without any tokens; missing_price and missing_tokens are NULL. \`cost_note\` says why.
 * \`cost_without_cache_uusd\`: all its input at the plain input price; less \`cost_computed_uusd\` it is what caching saved, net of writes.
 *
 * \`link_method\` says how the feature was found: explicit, ledger, commit, prompt, time_window. Without one the feature is NULL.
 * \`outcome\`: accepted, thrown_away (the feature was skipped or failed, or the commit was reverted), open, or NULL without a feature.
 * Rests on request_rows, llm_requests_told, price_names, price_steps, session_work, attempt_times, feature_attempts, run_times, counted.
 */
export const LLM_REQUESTS = `
 WITH counted_rows AS (SELECT k.request_id, k.words, k.place, t.* FROM request_rows k JOIN llm_requests_told t ON t.rowid = k.row WHERE k.role = 'counted'),
 once AS (
  SELECT request_id, ${list(SAID, (column) => column)}, started_at_ms, ${list(GROWN, (column) => column)}, is_sidechain, token_quality FROM counted_rows WHERE words = 1
  UNION ALL
  SELECT request_id, ${list(SAID, (column) => `arg_min(${column}, place)`)}, min(started_at_ms), ${list(GROWN, (column) => `max(${column})`)}, bool_and(coalesce(is_sidechain, FALSE)),
   arg_max(token_quality, (coalesce(out_total, -1), token_quality = 'exact', -place)) FROM counted_rows WHERE words > 1 GROUP BY request_id),
 telemetry AS (
  SELECT k.request_id, min(t.started_at_ms) AS started_at_ms, max(t.ended_at_ms) AS ended_at_ms, max(t.duration_ms) AS duration_ms, max(t.ttft_ms) AS ttft_ms,
   max(t.cost_reported_uusd) AS cost_reported_uusd, max(t.out_total) AS out_total, any_value(t.query_source) AS query_source, any_value(t.speed) AS speed
  FROM request_rows k JOIN llm_requests_told t ON t.rowid = k.row WHERE k.role = 'telemetry' GROUP BY k.request_id),
 calls AS (
  SELECT o.* REPLACE (coalesce(e.started_at_ms, o.started_at_ms) AS started_at_ms, coalesce(e.ended_at_ms, o.ended_at_ms) AS ended_at_ms,
    coalesce(e.duration_ms, o.duration_ms) AS duration_ms, coalesce(o.ttft_ms, e.ttft_ms) AS ttft_ms, coalesce(e.cost_reported_uusd, o.cost_reported_uusd) AS cost_reported_uusd,
    coalesce(o.query_source, e.query_source) AS query_source, coalesce(o.speed, e.speed) AS speed,
    CASE WHEN o.token_quality = 'lower_bound' AND e.out_total > coalesce(o.out_total, -1) THEN e.out_total ELSE o.out_total END AS out_total,
    CASE WHEN o.token_quality = 'lower_bound' AND e.out_total IS NOT NULL THEN 'exact' ELSE o.token_quality END AS token_quality,
    coalesce(o.is_sidechain, FALSE) AS is_sidechain),
   coalesce(e.started_at_ms, o.started_at_ms, o.ended_at_ms) AS at_ms, coalesce(${list([...INPUT, 'out_total'], (column) => `o.${column}`)}) IS NULL AS untold,
   ${sum([...INPUT, 'out_total'], (column) => `coalesce(o.${column}, 0)`)} AS tokens, ${sum(INPUT, (column) => `coalesce(o.${column}, 0)`)} AS input
  FROM once o LEFT JOIN telemetry e USING (request_id)),
 listed AS (SELECT DISTINCT price_name, speed, tier FROM price_steps),
 priced AS (
  SELECT c.*, n.price_name, l.price_name IS NOT NULL AS listed, p.price_id, ${rounded(COST)} AS computed, ${rounded(WITHOUT_CACHE)} AS without_cache
  FROM calls c LEFT JOIN price_names n ON n.model = c.model
  LEFT JOIN listed l ON l.price_name = n.price_name AND l.speed = coalesce(c.speed, 'standard') AND l.tier = coalesce(c.tier, 'standard')
  LEFT JOIN price_steps p ON p.price_name = n.price_name AND p.speed = coalesce(c.speed, 'standard') AND p.tier = coalesce(c.tier, 'standard')
   AND coalesce(c.at_ms >= p.from_ms AND c.at_ms < p.to_ms, p.from_ms < -9007199254740990 AND p.to_ms > 9007199254740990)
   AND (c.input > p.over_input_tokens OR p.over_input_tokens = 0) AND c.input <= p.up_to_input_tokens),
 costed AS (
  SELECT *, CASE WHEN untold OR (price_id IS NULL AND tokens > 0) THEN NULL ELSE computed END AS cost_computed_uusd,
   cost_reported_uusd > 0 OR (cost_reported_uusd = 0 AND tokens = 0) AS trusted FROM priced),
 tied AS (
  SELECT c.*, w.feature_id AS worked_on, w.link_method AS worked_how, w.commit_sha, w.commit_method, a.feature_id AS tried, a.attempt_n AS tried_n
  FROM costed c LEFT JOIN session_work w ON w.session_id = c.session_id AND c.at_ms >= w.from_ms AND c.at_ms < w.to_ms
  LEFT JOIN attempt_times a ON c.feature_id IS NULL AND w.feature_id IS NULL AND c.at_ms >= a.from_ms AND c.at_ms < a.to_ms),
 placed AS (SELECT *, coalesce(feature_id, worked_on, tried) AS feature, CASE WHEN feature_id IS NOT NULL THEN 'explicit' WHEN worked_on IS NOT NULL THEN worked_how
   WHEN tried IS NOT NULL THEN 'time_window' END AS link_method FROM tied),
 reverted AS (SELECT DISTINCT c.sha FROM commits r JOIN commits c ON length(r.reverts_sha) >= 7 AND starts_with(c.sha, r.reverts_sha)),
 states AS (SELECT feature_id, any_value(text_value) AS status FROM counted WHERE fact = 'status' AND feature_id IS NOT NULL GROUP BY feature_id)
 SELECT p.request_id, p.channel, p.provider, coalesce(p.run_id, f.run_id, t.run_id, (SELECT CASE WHEN count(*) = 1 THEN min(run_id) END FROM runs)) AS run_id,
  p.session_id, p.feature AS feature_id, coalesce(p.attempt_n, x.attempt_n, p.tried_n) AS attempt_n, p.commit_sha, p.commit_method, p.link_method,
  p.model, p.started_at_ms, p.ended_at_ms, p.duration_ms, p.ttft_ms, ${list(['in_uncached', 'in_cache_read', 'in_cache_write_5m', 'in_cache_write_1h', 'out_total', 'out_reasoning', 'web_searches'], (column) => `p.${column}`)},
  p.speed, p.tier, p.effort, p.query_source, p.is_sidechain, p.cwd, p.git_branch, p.cost_reported_uusd, p.cost_computed_uusd,
  CASE WHEN p.trusted THEN p.cost_reported_uusd WHEN p.cost_computed_uusd IS NOT NULL THEN p.cost_computed_uusd
   WHEN p.untold AND p.status = 'error' THEN 0 END AS cost_uusd,
  CASE WHEN p.trusted THEN 'reported' WHEN p.cost_computed_uusd IS NOT NULL THEN 'computed' WHEN p.untold AND p.status = 'error' THEN 'not_billed'
   WHEN p.untold THEN 'missing_tokens' ELSE 'missing_price' END AS cost_source,
  CASE WHEN p.trusted THEN NULL WHEN p.cost_computed_uusd IS NOT NULL THEN CASE WHEN p.cost_reported_uusd = 0 THEN 'reported_zero' END WHEN p.untold THEN NULL
   WHEN p.model IS NULL THEN 'no_model' WHEN p.price_name IS NULL THEN 'unknown_model' WHEN NOT p.listed THEN 'no_such_tier'
   WHEN p.price_id IS NULL THEN 'no_price_then' ELSE 'class_without_price' END AS cost_note,
  CASE WHEN p.cost_computed_uusd IS NOT NULL THEN p.without_cache END AS cost_without_cache_uusd, CASE WHEN p.tokens > 0 THEN p.price_id END AS price_id,
  p.token_quality, p.status, p.http_status,
  CASE WHEN p.commit_sha IN (SELECT sha FROM reverted) THEN 'thrown_away' WHEN p.feature IS NULL THEN NULL WHEN s.status = 'accepted' THEN 'accepted'
   WHEN s.status IN ('skipped', 'failed') THEN 'thrown_away' ELSE 'open' END AS outcome,
  p.source_id, p.source_kind, p.source_line
 FROM placed p LEFT JOIN features f ON f.feature_id = p.feature LEFT JOIN run_times t ON p.run_id IS NULL AND f.run_id IS NULL AND p.at_ms >= t.from_ms AND p.at_ms < t.to_ms
 LEFT JOIN feature_attempts x ON x.feature_id = p.feature AND p.at_ms >= x.from_ms AND p.at_ms < x.to_ms LEFT JOIN states s ON s.feature_id = p.feature`;
