import type { Attempt, AttemptsCard, Figure, Telling } from '../../../../shared/cards.ts';
import { citeText, isClaim } from '../basis.tsx';

/** One telling that is drawn attempt by attempt. */
export interface Story {
  telling: Telling;
  attempts: Attempt[];
  claim: boolean;
  /** Where it stands, and where others tell exactly the same. */
  places: string[];
  /** No other source tells of as many attempts. */
  alone: boolean;
}

/** Tellings that say the same, drawn as one bar beside the story. */
export interface Build {
  basis: Telling['basis'];
  claim: boolean;
  count: Figure;
  score: Figure;
  total: Figure;
  places: string[];
  /** Seconds of each attempt when all are known and there are several. */
  parts: number[];
}

/** A duration that can be drawn: a number from 0 up. */
export const seconds = (figure: Figure): number | null =>
  figure.value !== null && figure.value >= 0 ? figure.value : null;

/** The attempts of a telling; one that counts a single attempt without listing it is told by its total. */
function attemptsOf(telling: Telling, threshold: number | null): Attempt[] {
  if (telling.attempts.length > 0 || telling.count.value !== 1) return telling.attempts;
  if (telling.total.value === null && telling.score.value === null) return [];
  return [
    {
      n: 1,
      score: telling.score,
      duration: telling.total,
      passed: threshold === null || telling.score.value === null ? null : telling.score.value >= threshold,
      attribution: 'unknown',
      feedback: null,
      cite: telling.cite,
      findings: [],
    },
  ];
}

const countOf = (telling: Telling): number => telling.count.value ?? telling.attempts.length;

/** The telling with the most attempts is the story; among equals the one that is counted. */
function chooseStory(tellings: readonly Telling[]): Telling | null {
  const told = tellings.filter((telling) => attemptsOf(telling, null).length > 0);
  const [first, ...rest] = told;
  if (first === undefined) return null;
  return rest.reduce((best, telling) => {
    const more = attemptsOf(telling, null).length - attemptsOf(best, null).length;
    if (more !== 0) return more > 0 ? telling : best;
    return telling.counted && !best.counted ? telling : best;
  }, first);
}

const compatible = (a: Figure, b: Figure): boolean =>
  a.value === null || b.value === null || a.value === b.value;

/** Whether two tellings of one kind say nothing against each other. */
const sameWord = (a: Pick<Build, 'count' | 'score' | 'total'>, b: Pick<Build, 'count' | 'score' | 'total'>) =>
  compatible(a.count, b.count) && compatible(a.score, b.score) && compatible(a.total, b.total);

const known = (a: Figure, b: Figure): Figure => (a.value === null ? b : a);

function partsOf(telling: Telling): number[] {
  const parts = telling.attempts.flatMap((attempt) => {
    const value = seconds(attempt.duration);
    return value === null ? [] : [value];
  });
  return parts.length > 1 && parts.length === telling.attempts.length ? parts : [];
}

function mergeBuilds(tellings: readonly Telling[]): Build[] {
  const builds: Build[] = [];
  for (const telling of tellings) {
    const claim = isClaim(telling.basis);
    const place = citeText(telling.cite) || telling.source;
    const same = builds.findIndex((build) => build.claim === claim && sameWord(build, telling));
    const old = builds[same];
    if (old === undefined) {
      const { basis, count, score, total } = telling;
      builds.push({ basis, claim, count, score, total, places: [place], parts: partsOf(telling) });
    } else {
      builds[same] = {
        ...old,
        count: known(old.count, telling.count),
        score: known(old.score, telling.score),
        total: known(old.total, telling.total),
        places: [...old.places, place],
        parts: old.parts.length > 0 ? old.parts : partsOf(telling),
      };
    }
  }
  return builds;
}

/**
 * Splits what the sources tell into the story drawn in steps and the builds set against it.
 * Tellings of the story's own kind that say the same are only named beside it.
 */
export function tell(card: Pick<AttemptsCard, 'tellings' | 'threshold'>): {
  story: Story | null;
  builds: Build[];
} {
  const chosen = chooseStory(card.tellings);
  if (chosen === null) return { story: null, builds: mergeBuilds(card.tellings) };
  const claim = isClaim(chosen.basis);
  const others = card.tellings.filter((telling) => telling !== chosen);
  const agreeing = others.filter((telling) => isClaim(telling.basis) === claim && sameWord(chosen, telling));
  const differing = others.filter((telling) => !agreeing.includes(telling));
  return {
    story: {
      telling: chosen,
      attempts: attemptsOf(chosen, card.threshold?.value ?? null),
      claim,
      places: [chosen, ...agreeing].map((telling) => citeText(telling.cite) || telling.source),
      alone: others.every((telling) => countOf(telling) < countOf(chosen)),
    },
    builds: mergeBuilds(differing),
  };
}
