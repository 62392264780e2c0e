/**
 * The sanitizer: what a planner wrote, `unknown` in, the strict shapes of shared/plan.ts out. Forgiving where nothing is
 * lost by it (empty slots get their defaults, unknown keys go, lists and texts are bounded and say so), strict where
 * meaning is at stake (a filter, a measure, a condition). Pure; reads own properties only and changes nothing it is given.
 */
export {
  DEFAULT_TITLES,
  sanitizeAttempts,
  sanitizeBlock,
  sanitizeChart,
  sanitizeCommitTable,
  sanitizeFeatureTable,
  sanitizeFindingTable,
  sanitizeLedger,
  sanitizeLog,
  sanitizeNote,
  sanitizeStat,
  sanitizeTimeline,
} from './sanitize/blocks.ts';
export { sanitizeExplanation, sanitizeFollowUps, sanitizePreamble } from './sanitize/preamble.ts';
export { cleanText, cutText } from './sanitize/text.ts';
