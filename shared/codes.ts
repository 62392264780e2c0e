/**
 * Stable codes of everything that can go wrong or be left out, each with the plain words a person reads:
 * what happened and what to do next. Nothing of an underlying error message is ever part of these.
 */
export const CODES = {
  no_model_key: {
    title: 'No model is set up',
    says: 'This answer needs a model, and none is configured. Set OPENAI_API_KEY and start again, or ask in the words of the built-in planner.',
  },
  model_refused: {
    title: 'The model declined to answer',
    says: 'The model would not answer this question. Ask it in other words, or ask about the record directly.',
  },
  model_unreachable: {
    title: 'The model could not be reached',
    says: 'No answer came from the model server. Check OPENAI_BASE_URL and the network, then ask again.',
  },
  model_auth: {
    title: 'The model server did not accept the key',
    says: 'Check OPENAI_API_KEY, then ask again.',
  },
  model_rate_limited: {
    title: 'The model server asks to slow down',
    says: 'Too many requests, or the quota is used up. Wait a little and ask again.',
  },
  model_failed: {
    title: 'The model server failed',
    says: 'The model server answered with an error. Ask again in a moment.',
  },
  model_timeout: {
    title: 'The model took too long',
    says: 'The time for this answer ran out. What is here was read; ask again for the rest.',
  },
  cut_short: {
    title: 'The answer was cut short',
    says: 'The model stopped before it had finished. The cards that were complete are shown; ask again for the rest.',
  },
  connection_lost: {
    title: 'The connection to the model broke',
    says: 'The model stopped in the middle. The cards that were complete are shown; ask again for the rest.',
  },
  plan_invalid: {
    title: 'The answer could not be read',
    says: 'What the planner wrote is not a plan Looplight can follow. Ask again, or in other words.',
  },
  plan_too_large: {
    title: 'The answer was too long',
    says: 'The planner wrote more than is read for one answer. The cards before the limit are shown.',
  },
  plan_empty: {
    title: 'The planner gave no cards',
    says: 'The planner finished without a single card. Ask in other words.',
  },
  not_understood: {
    title: 'This question was not understood',
    says: 'The built-in planner found nothing in it that the record could answer.',
  },
  stopped: {
    title: 'Stopped',
    says: 'You stopped this answer. What is here was read but not checked.',
  },
  record_empty: {
    title: 'There is no record yet',
    says: 'Nothing has been read. Start Looplight with the folder of a run, or with the demo record.',
  },
  record_gone: {
    title: 'The record of this answer is not loaded',
    says: 'This answer was given about a record that is not loaded any more, so nothing of it can be shown as it is today. Start Looplight with the folder of that run to open it.',
  },
  project_gone: {
    title: 'This project is not loaded',
    says: 'The address names a project that was loaded once and is not now. Choose another one above, or start Looplight with its folder.',
  },
  block_unknown: {
    title: 'A card was left out',
    says: 'The planner asked for a kind of card that does not exist.',
  },
  block_invalid: {
    title: 'A card was left out',
    says: 'The planner described this card in a way that cannot be read.',
  },
  block_too_deep: { title: 'A card was left out', says: 'The planner nested this card deeper than is read.' },
  block_unbound: {
    title: 'A card was left out',
    says: 'This card names a measure, grouping or fact that the record does not have.',
  },
  block_incompatible: {
    title: 'A card was left out',
    says: 'This measure cannot be grouped that way.',
  },
  no_points: { title: 'Nothing to draw', says: 'The query of this card gave no value.' },
  donut_needs_parts: {
    title: 'Not a share of anything',
    says: 'A donut needs at least two parts of one whole.',
  },
  donut_not_additive: {
    title: 'Not parts of a whole',
    says: 'This measure does not add up, so it cannot be drawn as shares.',
  },
  query_failed: {
    title: 'A query failed',
    says: 'The record could not be asked this way. The other cards are not affected.',
  },
  query_timeout: {
    title: 'A query took too long',
    says: 'This card was left out because its query did not finish in time.',
  },
  envelope_invalid: {
    title: 'A card could not be sent',
    says: 'This card did not pass the check before sending.',
  },
  verify_failed: {
    title: 'The check could not be made',
    says: 'The cards are shown as read, without a second check.',
  },
  record_moved: {
    title: 'The record changed while it was checked',
    says: 'The record kept changing, so the check has no verdict. Ask again when the run is quiet.',
  },
  too_many_cards: { title: 'Some cards were left out', says: 'An answer has at most six cards.' },
  bad_request: {
    title: 'The request could not be read',
    says: 'The page and the server disagree. Reload the page.',
  },
  forbidden: { title: 'Not allowed from there', says: 'Looplight answers only the page it serves itself.' },
  token_needed: {
    title: 'An access token is needed',
    says: 'Open the page once with ?token= and the token this server was started with.',
  },
  abandoned: {
    title: 'Nobody was reading any more',
    says: 'The page was gone for a while, so this answer ended early. What is here was read but not checked; ask again for the rest.',
  },
  replay: {
    title: 'This is a replay',
    says: 'A saved answer is played here from a file, without a record and without a model. To ask, start Looplight with the folder of a run.',
  },
  replay_only: {
    title: 'Not part of the file',
    says: 'This answer is played from a file, which holds the answer but not the record behind it.',
  },
  board_full: {
    title: 'This board is full',
    says: 'Nothing more fits on this board. Remove something from it, or pin to another board.',
  },
  boards_full: {
    title: 'There are too many boards',
    says: 'No further board can be kept. Remove one that is not needed any more.',
  },
  not_pinnable: {
    title: 'This cannot be pinned',
    says: 'Only an answer that was planned can be pinned, as a whole or one card of it. Ask again, then pin.',
  },
  not_kept: {
    title: 'This could not be kept',
    says: 'The state folder cannot be written, so there are no boards. Start Looplight with LOOPLIGHT_STATE set to a folder that can.',
  },
  board_empty: {
    title: 'Nothing is pinned here yet',
    says: 'Open an answer and press Pin to put it, or one card of it, on this board.',
  },
  not_found: { title: 'Not found', says: 'There is no such answer any more. Ask again.' },
  rate_limited: { title: 'Too many questions at once', says: 'Wait a moment and ask again.' },
} as const satisfies Record<string, { title: string; says: string }>;

export type Code = keyof typeof CODES;

/** Whether a string read from outside is one of the stable codes. */
export const isCode = (value: unknown): value is Code =>
  typeof value === 'string' && Object.hasOwn(CODES, value);
