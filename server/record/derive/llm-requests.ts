/**
 * One row a billed model call, counted once however many rows, files and channels tell of it, with its price and what it worked on.
 * Rests on llm_requests_told, rollout_counts, prices, features, commits.
 */
export const LLM_REQUESTS = `
 WITH kept AS (SELECT t.*, CASE WHEN message_id IS NULL THEN told_id ELSE message_id || '|' || coalesce(request_ref, '') END AS request_id,
   (coalesce(is_sidechain, FALSE), source_id, coalesce(source_line, 0)) AS place
  FROM llm_requests_told t WHERE channel NOT IN ('rollout', 'exec') OR told_id IN (SELECT told_id FROM rollout_counts))
 SELECT request_id, arg_min(channel, place) AS channel, arg_min(provider, place) AS provider, arg_min(run_id, place) AS run_id,
  arg_min(session_id, place) AS session_id, arg_min(feature_id, place) AS feature_id, arg_min(attempt_n, place) AS attempt_n,
  CAST(NULL AS TEXT) AS commit_sha, CASE WHEN arg_min(feature_id, place) IS NULL THEN NULL ELSE 'explicit' END AS link_method,
  arg_min(model, place) AS model, min(started_at_ms) AS started_at_ms, max(ended_at_ms) AS ended_at_ms, max(duration_ms) AS duration_ms,
  max(in_uncached) AS in_uncached, max(in_cache_read) AS in_cache_read, max(in_cache_write_5m) AS in_cache_write_5m,
  max(in_cache_write_1h) AS in_cache_write_1h, max(out_total) AS out_total, max(out_reasoning) AS out_reasoning, max(web_searches) AS web_searches,
  arg_min(speed, place) AS speed, arg_min(tier, place) AS tier, arg_min(effort, place) AS effort, arg_min(query_source, place) AS query_source,
  coalesce(bool_and(is_sidechain), FALSE) AS is_sidechain, arg_min(cwd, place) AS cwd, arg_min(git_branch, place) AS git_branch,
  max(cost_reported_uusd) AS cost_reported_uusd, CAST(NULL AS BIGINT) AS cost_computed_uusd, max(cost_reported_uusd) AS cost_uusd,
  CASE WHEN max(cost_reported_uusd) IS NULL THEN 'missing_price' ELSE 'reported' END AS cost_source, CAST(NULL AS TEXT) AS price_id,
  arg_min(token_quality, place) AS token_quality, arg_min(status, place) AS status, arg_min(http_status, place) AS http_status,
  arg_min(source_id, place) AS source_id, arg_min(source_kind, place) AS source_kind, arg_min(source_line, place) AS source_line
 FROM kept GROUP BY request_id`;
