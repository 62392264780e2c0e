import { type Attempt, type AttemptsCard, BASES, type Telling } from '../../../../shared/cards.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { fields, isRecord, list, number, oneOf } from '../../lib/unknown.ts';
import { base, cite, clip, figure, short, words } from '../read.ts';

/** Most attempts drawn of one telling, tellings of one feature, and findings of one attempt. */
const ATTEMPTS = 30;
const TELLINGS = 8;
const FINDINGS = 4;
const FAULTS = ['agent', 'verifier', 'infra', 'provider', 'spec', 'unknown'] as const;
/** Scores are out of ten unless the record says otherwise. */
const SCORE_MAX = 10;

function attempt(value: unknown): Attempt | null {
  if (!isRecord(value)) return null;
  return {
    n: Math.max(1, Math.trunc(number(value.n) ?? 1)),
    score: figure(value.score),
    duration: figure(value.duration),
    passed: typeof value.passed === 'boolean' ? value.passed : null,
    attribution: oneOf(value.attribution, FAULTS, 'unknown'),
    feedback: words(value.feedback, LIMITS.cellText),
    cite: cite(value.cite),
    findings: list(value.findings, (finding) => words(finding, LIMITS.cellText), FINDINGS),
  };
}

function telling(value: unknown): Telling | null {
  if (!isRecord(value)) return null;
  return {
    source: short(value.source),
    basis: oneOf(value.basis, BASES, 'unknown'),
    counted: value.counted === true,
    cite: cite(value.cite),
    attempts: list(value.attempts, attempt, ATTEMPTS),
    count: figure(value.count),
    total: figure(value.total),
    score: figure(value.score),
  };
}

function threshold(value: unknown): AttemptsCard['threshold'] {
  const from = fields(value);
  const at = number(from.value);
  if (at === null) return null;
  return { value: at, why: clip(from.why, LIMITS.cellText), basis: oneOf(from.basis, BASES, 'unknown') };
}

/** Reads the story of one feature from anything. */
export function readAttempts(value: unknown): AttemptsCard {
  const from = fields(value);
  const feature = fields(from.feature);
  const most = number(from.scoreMax);
  return {
    ...base(value),
    type: 'attempts',
    feature: {
      id: short(feature.id),
      title: short(feature.title),
      category: short(feature.category),
      status: short(feature.status),
    },
    scoreMax: most !== null && most > 0 && most <= 1_000 ? most : SCORE_MAX,
    threshold: threshold(from.threshold),
    tellings: list(from.tellings, telling, TELLINGS),
  };
}
