import { ALWAYS, EVER } from './price-steps.ts';
import { OWN_ID } from './request-rows.ts';

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
];
const INPUT = ['in_uncached', 'in_cache_read', 'in_cache_write_5m', 'in_cache_write_1h'];
const TOKENS = [...INPUT, 'out_total'];
/** A message is told while it grows: of each class of tokens the largest figure is the whole. */
const GROWN = [
  ...TOKENS,
  'out_reasoning',
  'web_searches',
  'duration_ms',
  'ttft_ms',
  'cost_reported_uusd',
  'ended_at_ms',
];

const list = (columns: readonly string[], one: (column: string) => string = (column) => column): string =>
  columns.map(one).join(', ');
const sum = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(${column}, 0)`).join(' + ');

/** Micro-dollars per million tokens times tokens; a class without tokens costs nothing, whether it has a price or not. */
const part = (tokens: string, price: string): string =>
  `CASE WHEN coalesce(${tokens}, 0) = 0 THEN CAST(0 AS HUGEINT) ELSE CAST(${tokens} AS HUGEINT) * ${price} END`;
const OUTPUT_AND_SEARCHES = `${part('out_total', 'out_uusd_per_mtok')} + 1000000 * (${part('web_searches', 'web_search_uusd')})`;
const COST = `${part('in_uncached', 'in_uusd_per_mtok')} + ${part('in_cache_read', 'cache_read_uusd_per_mtok')} + ${part('in_cache_write_5m', 'cache_write_5m_uusd_per_mtok')}
   + ${part('in_cache_write_1h', 'cache_write_1h_uusd_per_mtok')} + ${OUTPUT_AND_SEARCHES}`;
const WITHOUT_CACHE = `${part('input', 'in_uusd_per_mtok')} + ${OUTPUT_AND_SEARCHES}`;
/** Whole micro-dollars of millionths of them, half a one upwards; NULL where no integer of the database holds it. */
const rounded = (millionths: string): string => `TRY_CAST((${millionths} + 500000) // 1000000 AS BIGINT)`;

/**
 * One row a billed model call, with its price and what it worked on. Which rows tell of it is in request_rows. What telemetry says of a counted call adds its times, its duration and the cost it reports, never tokens (but for
 * output that the transcript itself marks as a lower bound).
 *
 * Cost: \`cost_computed_uusd\` from the price list at the call's own model, time, speed, tier and size; \`cost_reported_uusd\` what the
 * source says; \`cost_uusd\` counts and \`cost_source\` says which it is: reported (unless it is 0 though there are tokens), else
 * computed; not_billed is a call that failed without any tokens; missing_price and missing_tokens are NULL. \`cost_note\` says why.
 * \`cost_without_cache_uusd\`: all its input at the plain input price; less \`cost_computed_uusd\` it is what caching saved, net of writes.
 *
 * The feature: that its source names (\`link_method\` explicit), else what its stretch of the session ended in or was asked for (ledger,
 * commit, prompt), else that of the one attempt under way then (time_window); without any it is NULL. The run: that its source names,
 * else the feature's, else the one whose time holds it, else the only one.
 * \`outcome\`: accepted, thrown_away (the feature was skipped or failed, or the commit was reverted), open, or NULL without a feature.
 * Rests on llm_requests_told, request_rows, session_work, request_times, feature_attempts, price_names, price_steps, features, runs, commits, counted.
 */
export const LLM_REQUESTS = `
 WITH alone AS (
  SELECT rowid AS row, ${OWN_ID} AS request_id, ${list(SAID)}, started_at_ms, ${list(GROWN)}, coalesce(is_sidechain, FALSE) AS is_sidechain, token_quality
  FROM llm_requests_told WHERE rowid NOT IN (SELECT row FROM request_rows)),
 several AS (
  SELECT arg_min(k.row, k.place) AS row, k.request_id, ${list(SAID, (column) => `arg_min(t.${column}, k.place) AS ${column}`)}, min(t.started_at_ms) AS started_at_ms,
   ${list(GROWN, (column) => `max(t.${column}) AS ${column}`)}, bool_and(coalesce(t.is_sidechain, FALSE)) AS is_sidechain,
   arg_max(t.token_quality, (coalesce(t.out_total, -1), t.token_quality = 'exact', -k.place)) AS token_quality
  FROM request_rows k JOIN llm_requests_told t ON t.rowid = k.row WHERE k.role = 'counted' GROUP BY k.request_id),
 telemetry AS (
  SELECT k.request_id, min(t.started_at_ms) AS started_at_ms, max(t.ended_at_ms) AS ended_at_ms, max(t.duration_ms) AS duration_ms, max(t.ttft_ms) AS ttft_ms,
   max(t.cost_reported_uusd) AS cost_reported_uusd, max(t.out_total) AS out_total, any_value(t.query_source) AS query_source, any_value(t.speed) AS speed
  FROM request_rows k JOIN llm_requests_told t ON t.rowid = k.row WHERE k.role = 'telemetry' GROUP BY k.request_id),
 calls AS (
  SELECT o.* REPLACE (coalesce(e.started_at_ms, o.started_at_ms) AS started_at_ms, coalesce(e.ended_at_ms, o.ended_at_ms) AS ended_at_ms,
    coalesce(e.duration_ms, o.duration_ms) AS duration_ms, coalesce(o.ttft_ms, e.ttft_ms) AS ttft_ms, coalesce(e.cost_reported_uusd, o.cost_reported_uusd) AS cost_reported_uusd,
    coalesce(o.query_source, e.query_source) AS query_source, coalesce(o.speed, e.speed) AS speed,
    CASE WHEN o.token_quality = 'lower_bound' AND e.out_total > coalesce(o.out_total, -1) THEN e.out_total ELSE o.out_total END AS out_total,
    CASE WHEN o.token_quality = 'lower_bound' AND e.out_total IS NOT NULL THEN 'exact' ELSE o.token_quality END AS token_quality)
  FROM (FROM alone UNION ALL FROM several) o LEFT JOIN telemetry e USING (request_id)),
 sized AS (
  SELECT *, coalesce(started_at_ms, ended_at_ms) AS at_ms, coalesce(${list(TOKENS)}) IS NULL AS untold, ${sum(INPUT)} AS input, ${sum(TOKENS)} AS tokens,
   coalesce(started_at_ms, ended_at_ms, ${ALWAYS}) AS earliest_ms, coalesce(started_at_ms, ended_at_ms, ${EVER} - 1) AS latest_ms,
   coalesce(speed, 'standard') AS its_speed, coalesce(tier, 'standard') AS its_tier FROM calls),
 listed AS (SELECT DISTINCT price_name, speed, tier FROM price_steps),
 priced AS (
  SELECT c.*, n.price_name, l.price_name IS NOT NULL AS listed, p.price_id, CASE WHEN NOT c.untold AND (p.price_id IS NOT NULL OR c.tokens = 0) THEN ${rounded(COST)} END AS cost_computed_uusd,
   ${rounded(WITHOUT_CACHE)} AS without_cache, c.cost_reported_uusd > 0 OR (c.cost_reported_uusd = 0 AND c.tokens = 0) AS trusted
  FROM sized c LEFT JOIN price_names n ON n.model = c.model LEFT JOIN listed l ON l.price_name = n.price_name AND l.speed = c.its_speed AND l.tier = c.its_tier
  LEFT JOIN price_steps p ON p.price_name = n.price_name AND p.speed = c.its_speed AND p.tier = c.its_tier
   AND c.earliest_ms >= p.from_ms AND c.latest_ms < p.to_ms AND c.input > p.over_input_tokens AND c.input <= p.up_to_input_tokens),
 tied AS (
  SELECT p.*, w.feature_id AS worked_on, w.link_method AS worked_how, w.commit_sha, w.commit_method, x.feature_id AS tried, x.attempt_n AS tried_n, x.run_id AS timed_run,
   coalesce(p.feature_id, w.feature_id, x.feature_id) AS feature
  FROM priced p LEFT JOIN session_work w ON w.session_id = p.session_id AND p.at_ms >= w.from_ms AND p.at_ms < w.to_ms LEFT JOIN request_times x ON x.row = p.row),
 reverted AS (SELECT DISTINCT c.sha FROM commits r JOIN commits c ON length(r.reverts_sha) >= 7 AND starts_with(c.sha, r.reverts_sha)),
 states AS (SELECT feature_id, any_value(text_value) AS status FROM counted WHERE fact = 'status' AND feature_id IS NOT NULL GROUP BY feature_id)
 SELECT p.request_id, p.channel, p.provider, coalesce(p.run_id, f.run_id, p.timed_run, (SELECT CASE WHEN count(*) = 1 THEN min(run_id) END FROM runs)) AS run_id,
  p.session_id, p.feature AS feature_id, coalesce(p.attempt_n, a.attempt_n, p.tried_n) AS attempt_n, p.commit_sha, p.commit_method,
  CASE WHEN p.feature_id IS NOT NULL THEN 'explicit' WHEN p.worked_on IS NOT NULL THEN p.worked_how WHEN p.tried IS NOT NULL THEN 'time_window' END AS link_method,
  p.model, p.started_at_ms, p.ended_at_ms, p.duration_ms, p.ttft_ms, ${list(TOKENS, (column) => `p.${column}`)}, p.out_reasoning, p.web_searches,
  p.speed, p.tier, p.effort, p.query_source, p.is_sidechain, p.cwd, p.git_branch, p.cost_reported_uusd, p.cost_computed_uusd,
  CASE WHEN p.trusted THEN p.cost_reported_uusd WHEN p.cost_computed_uusd IS NOT NULL THEN p.cost_computed_uusd WHEN p.untold AND p.status = 'error' THEN 0 END AS cost_uusd,
  CASE WHEN p.trusted THEN 'reported' WHEN p.cost_computed_uusd IS NOT NULL THEN 'computed' WHEN p.untold AND p.status = 'error' THEN 'not_billed'
   WHEN p.untold THEN 'missing_tokens' ELSE 'missing_price' END AS cost_source,
  CASE WHEN p.trusted THEN NULL WHEN p.cost_computed_uusd IS NOT NULL THEN CASE WHEN p.cost_reported_uusd = 0 AND p.tokens > 0 THEN 'reported_zero' END WHEN p.untold THEN NULL
   WHEN p.model IS NULL THEN 'no_model' WHEN p.price_name IS NULL THEN 'unknown_model' WHEN NOT p.listed THEN 'no_such_tier'
   WHEN p.price_id IS NULL THEN 'no_price_then' ELSE 'class_without_price' END AS cost_note,
  CASE WHEN p.cost_computed_uusd IS NOT NULL THEN p.without_cache END AS cost_without_cache_uusd, CASE WHEN p.tokens > 0 THEN p.price_id END AS price_id,
  p.token_quality, p.status, p.http_status,
  CASE WHEN v.sha IS NOT NULL THEN 'thrown_away' WHEN p.feature IS NULL THEN NULL WHEN s.status = 'accepted' THEN 'accepted'
   WHEN s.status IN ('skipped', 'failed') THEN 'thrown_away' ELSE 'open' END AS outcome,
  p.source_id, p.source_kind, p.source_line
 FROM tied p LEFT JOIN features f ON f.feature_id = p.feature LEFT JOIN feature_attempts a ON a.feature_id = p.feature AND p.at_ms >= a.from_ms AND p.at_ms < a.to_ms
 LEFT JOIN reverted v ON v.sha = p.commit_sha LEFT JOIN states s ON s.feature_id = p.feature`;
