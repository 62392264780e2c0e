import { z } from 'zod/v4';
import { LIMITS } from '../../shared/limits.ts';
import { About } from '../../shared/plan.ts';
import type { Archive } from '../archive/archive.ts';
import { VERSION as ENTRY_VERSION, type Entry, type Meter } from '../archive/entry.ts';
import { changedFigures, labelledFigures } from '../archive/figures.ts';
import { PROGRAM } from '../program.ts';
import { isEmptyRecord } from '../record/empty.ts';
import type { RecordProfile } from '../record/store.ts';
import type { Outcome, StoredPlan } from './ports.ts';
import type { NamedPlanner } from './types.ts';
import { writingPlan } from './writing-plan.ts';

/** Between answers and their archive: what is kept of an answer, and a kept plan as something that can be planned with. */

export interface KeepingOptions {
  archive: Archive;
  /** Folder of the run that is loaded. */
  folder: string;
  /** Names the program that runs: a plan of another one is not used for a new question. */
  program?: string;
  now?: () => number;
}

/** A question as it was asked. */
export interface Asked {
  question: string;
  conversation: string | null;
  /** Digest of the turns it leans on, '' for none. */
  context: string;
  planner: NamedPlanner;
}

export interface Keeping {
  readonly archive: Archive;
  /** What its answers remember their record by. */
  readonly folder: string;
  /** Looks for a plan of the same question once the record is known; null when there cannot be one. */
  recall(asked: Asked): ((profile: RecordProfile) => Promise<StoredPlan | null>) | null;
  /** The kept plan as it is, for opening the answer again. */
  stored(entry: Entry): StoredPlan;
  /** @param from the stored plan it was answered with, if it was */
  keep(id: string, asked: Asked, askedAt: number, outcome: Outcome, from: StoredPlan | null): void;
}

const identity = ({ kind, name, model }: NamedPlanner): Entry['planner'] => ({ kind, name, model });

/** Features the text of a plan says it is about; none for a text that is no plan. */
export function featuresOf(text: string): string[] {
  try {
    const { about } = z.object({ about: About }).parse(JSON.parse(text));
    if (about.feature !== null) return [about.feature];
    return about.scope.flatMap((where) =>
      where.type === 'in' && where.dim === 'feature' && !where.not ? where.any_of : [],
    );
  } catch {
    return [];
  }
}

/** What an answer took, and what became of its cards. */
function meterOf({ ms, firstCardMs, tokens, dropped, trimmed, report }: Outcome, reused: boolean): Meter {
  const verdicts = report?.verdicts ?? [];
  const of = (state: string): string[] =>
    verdicts.filter((verdict) => verdict.state === state).map(({ card }) => card);
  const corrected = of('corrected');
  return {
    ms,
    firstCardMs,
    tokensIn: tokens?.in ?? null,
    tokensOut: tokens?.out ?? null,
    dropped: new Set([...dropped, ...of('dropped')]).size,
    repaired: new Set([...trimmed, ...corrected]).size,
    corrected: corrected.length,
    verified: of('verified').length,
    unverified: of('unverified').length,
    reused,
  };
}

export function createKeeping({
  archive,
  folder,
  program = PROGRAM,
  now = Date.now,
}: KeepingOptions): Keeping {
  const stored = (entry: Entry): StoredPlan => ({
    planner: writingPlan(entry),
    about: featuresOf(entry.plan),
    askedAt: entry.plannedAt,
    ageMs: Math.max(0, now() - entry.plannedAt),
    program: entry.program,
    older: entry.program !== program,
    gone: (profile) =>
      isEmptyRecord(profile) || (entry.record.folder !== '' && entry.record.folder !== folder),
    since: (cards, fingerprint) => ({
      changed: fingerprint !== entry.record.fingerprint,
      gone: false,
      ...changedFigures(entry.figures, labelledFigures(cards)),
    }),
  });
  return {
    archive,
    folder,
    stored,
    recall(asked) {
      const same = {
        question: asked.question,
        context: asked.context,
        planner: identity(asked.planner),
        program,
        folder,
      };
      // A program without a name cannot tell its own plans from those of another.
      if (program === '' || !archive.mayHave(same)) return null;
      return async ({ fingerprint }) => {
        const entry = await archive.find({ ...same, fingerprint });
        return entry === null ? null : stored(entry);
      };
    },
    keep(id, asked, askedAt, outcome, from) {
      const { report } = outcome;
      archive.put({
        version: ENTRY_VERSION,
        id,
        question: asked.question,
        conversation: asked.conversation,
        context: asked.context,
        planner: identity(outcome.by ?? asked.planner),
        plan: outcome.plan.slice(0, LIMITS.planBytes),
        plannedAt: from?.askedAt ?? askedAt,
        askedAt,
        program: from === null ? program : from.program,
        meter: meterOf(outcome, from !== null),
        record: { folder, fingerprint: outcome.fingerprint },
        code: outcome.code,
        cards: outcome.cards.length,
        report: report && {
          ok: report.ok,
          code: report.code,
          cards: report.cards,
          figures: report.figures,
          sources: report.sources,
          record: report.record,
          ms: report.ms,
          passes: report.passes,
          changed: report.changed,
        },
        figures: labelledFigures(outcome.cards),
      });
    },
  };
}

/** The planner, and what it has written so far: of an answer that is stopped nothing else has its text. */
export function overheard(planner: NamedPlanner): { planner: NamedPlanner; text(): string } {
  let text = '';
  return {
    text: () => text,
    planner: {
      ...planner,
      plan: async function* (request) {
        for await (const piece of planner.plan(request)) {
          if (text.length < LIMITS.planBytes) text += piece.slice(0, LIMITS.planBytes - text.length);
          yield piece;
        }
      },
    },
  };
}
