/** No beginning and no end of a price's time, in milliseconds. */
export const ALWAYS = '-9007199254740991';
export const EVER = '9007199254740991';

/**
 * Names under which the price of a model is looked for, the most exact first. Only endings and beginnings that the providers document
 * are taken off: Claude Code's \`[1m]\`, a date, Bedrock's version, the name of the provider or gateway in front. Bedrock's names of one
 * region become \`regional/…\`, since a region may cost more. Never a prefix of a name, never a sibling.
 */
const CANDIDATES =
  '[lower(trim(model)), plain(model), unversioned(plain(model)), undated(plain(model)), undated(unversioned(plain(model)))]';

/** Beginnings and endings of model names. */
export const MODEL_MACROS = `
CREATE OR REPLACE MACRO plain(m) AS regexp_replace(regexp_replace(regexp_replace(regexp_replace(lower(trim(m)), '\\[1m\\]$', ''),
  '^(anthropic|openai|bedrock|vertex_ai|azure)/', ''), '^(us|eu|apac|jp|au|ca|us-gov)\\.anthropic\\.', 'regional/'), '^(global\\.)?anthropic\\.', '');
CREATE OR REPLACE MACRO unversioned(m) AS regexp_replace(m, '-v[0-9]+(:[0-9]+)?$', '');
CREATE OR REPLACE MACRO undated(m) AS regexp_replace(m, '([-@]20[0-9]{2}[01][0-9][0-3][0-9]|-20[0-9]{2}-[01][0-9]-[0-3][0-9])$', '');
`;

/** Each model that requests name, with the name its price stands under. Rests on llm_requests_told and prices. */
export const PRICE_NAMES = `
 SELECT model, arg_min(name, place) AS price_name FROM (
  SELECT model, unnest(names) AS name, generate_subscripts(names, 1) AS place FROM (
   SELECT model, ${CANDIDATES} AS names FROM (SELECT DISTINCT model FROM llm_requests_told WHERE model IS NOT NULL)))
 WHERE name IN (SELECT model FROM prices) GROUP BY model`;

/**
 * The price list as steps that do not overlap: for a name, speed and tier, a stretch of time and of input tokens has one price.
 * A price for more tokens than a threshold goes before the one below it, as long as it is valid. Rests on prices.
 */
export const PRICE_STEPS = `
 WITH bounded AS (
  SELECT * REPLACE (coalesce(valid_from_ms, ${ALWAYS}) AS valid_from_ms, coalesce(valid_to_ms, ${EVER}) AS valid_to_ms) FROM prices),
 marks AS (SELECT model, speed, tier, valid_from_ms AS at_ms FROM bounded UNION SELECT model, speed, tier, valid_to_ms FROM bounded),
 spans AS (SELECT *, lead(at_ms) OVER (PARTITION BY model, speed, tier ORDER BY at_ms) AS to_ms FROM marks)
 SELECT p.price_id, p.model AS price_name, p.speed, p.tier, s.at_ms AS from_ms, s.to_ms, CASE p.over_input_tokens WHEN 0 THEN -1 ELSE p.over_input_tokens END AS over_input_tokens,
  coalesce(lead(p.over_input_tokens) OVER (PARTITION BY p.model, p.speed, p.tier, s.at_ms ORDER BY p.over_input_tokens), ${EVER}) AS up_to_input_tokens,
  p.in_uusd_per_mtok, p.cache_read_uusd_per_mtok, p.cache_write_5m_uusd_per_mtok, p.cache_write_1h_uusd_per_mtok, p.out_uusd_per_mtok,
  p.web_search_uusd, p.checked_at_ms
 FROM spans s JOIN bounded p ON p.model = s.model AND p.speed = s.speed AND p.tier = s.tier
  AND p.valid_from_ms <= s.at_ms AND p.valid_to_ms >= s.to_ms
 WHERE s.to_ms IS NOT NULL`;
