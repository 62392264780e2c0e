import { RUN_OF } from './run-of.ts';

/**
 * Features that a prompt names: by its id as a word of its own (a bare number only behind "feature", "story", "task" or "#"), else
 * by its title. A prompt that names several names none. Rests on log_events, features, runs.
 */
export const PROMPT_FEATURES = `
 WITH prompts AS MATERIALIZED (
  SELECT event_id, session_id, at_ms, message FROM log_events WHERE kind = 'prompt' AND session_id IS NOT NULL AND at_ms IS NOT NULL AND is_copy IS NOT TRUE),
 -- The same prompt is often given again and again: what a text names is found once.
 texts AS MATERIALIZED (
  SELECT row_number() OVER () AS text, message, lower(message) AS low FROM (SELECT DISTINCT message FROM prompts WHERE EXISTS (FROM features))),
 tokens AS (
  SELECT DISTINCT text, unnest(regexp_extract_all(message, '[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*')) AS token FROM texts),
 said AS (
  SELECT text, ref_key(token) AS key FROM tokens WHERE regexp_matches(token, '[0-9_-]')
  UNION SELECT text, ref_key(unnest(regexp_extract_all(message, '(?i)(?:feature|story|task|item|#)\\s*#?\\s*([0-9]+(?:[.-][0-9]+)*)', 1))) FROM texts),
 by_id AS MATERIALIZED (
  SELECT DISTINCT s.text, f.feature_id, f.run_id FROM said s JOIN features f ON ref_key(f.ext_id) = s.key WHERE regexp_matches(f.ext_id, '[0-9]|[-_]')),
 -- Only where the longest word of a title is a word of the prompt is the whole looked for.
 titles AS MATERIALIZED (
  SELECT feature_id, any_value(run_id) AS run_id, any_value(title) AS title, arg_max(word, length(word)) AS word FROM (
   SELECT feature_id, run_id, lower(title) AS title, unnest(regexp_extract_all(lower(title), '[\\p{L}\\p{N}]+')) AS word FROM features
   WHERE length(title) >= 8 AND contains(trim(title), ' ')) GROUP BY feature_id),
 words AS (
  SELECT text, unnest(list_distinct(regexp_extract_all(low, '[\\p{L}\\p{N}]+'))) AS word FROM texts WHERE text NOT IN (SELECT text FROM by_id) AND EXISTS (FROM titles)),
 by_title AS MATERIALIZED (
  SELECT t.text, l.feature_id, l.run_id, l.title FROM words w JOIN titles l ON l.word = w.word JOIN texts t ON t.text = w.text WHERE contains(t.low, l.title)),
 named AS (
  FROM by_id UNION ALL
  -- A title inside another one that is named too names nothing of its own.
  SELECT a.text, a.feature_id, a.run_id FROM by_title a WHERE NOT EXISTS (
   FROM by_title b WHERE b.text = a.text AND length(b.title) > length(a.title) AND contains(b.title, a.title))),
 chosen AS (
  SELECT p.event_id, p.session_id, p.at_ms, n.feature_id FROM named n JOIN texts t ON t.text = n.text JOIN prompts p ON p.message = t.message JOIN runs r ON r.run_id = n.run_id
  QUALIFY dense_rank() OVER (PARTITION BY p.event_id ORDER BY ${RUN_OF('p.at_ms')}) = 1)
 SELECT event_id, any_value(session_id) AS session_id, any_value(at_ms) AS at_ms, any_value(feature_id) AS feature_id
 FROM chosen GROUP BY event_id HAVING count(DISTINCT feature_id) = 1`;
