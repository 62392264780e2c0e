import type { Button, CardBase } from '../../../shared/cards.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { Action } from '../../../shared/plan.ts';
import { namesOf } from '../known-names.ts';
import { clip, type ProseContext, plainText } from '../placeholders.ts';
import type { ResolveContext } from './context.ts';
import type { Judged } from './figure.ts';

/** What prose of one answer may speak of. */
export const proseContext = (context: ResolveContext): ProseContext => ({
  facts: context.facts,
  outcomes: context.outcomes,
  evidence: context.evidence,
  features: new Map(context.profile.features.map(({ id, title }) => [id, title])),
  names: namesOf(context.profile),
});

/** Buttons as the page shows them: two at most, plain text, bounded. */
export const buttons = (actions: readonly Action[], context: ResolveContext): Button[] =>
  actions
    .slice(0, LIMITS.actions)
    .map(({ label, request }) => ({
      label: plainText(label, proseContext(context), LIMITS.label),
      request: clip(request.trim(), LIMITS.request),
    }))
    .filter(({ label, request }) => label !== '' && request !== '');

export interface BaseParts extends Judged {
  id: string;
  title: string;
  sub?: string | null;
  actions?: readonly Action[];
  /** Query ids in reading order; repeats and nulls are left out. */
  evidence?: readonly (string | null)[];
  trimmed?: string | null;
}

/** The part all cards share. */
export function baseOf(context: ResolveContext, parts: BaseParts): CardBase {
  return {
    id: parts.id,
    title: plainText(parts.title, proseContext(context)),
    sub: parts.sub ?? null,
    mark: parts.mark,
    actions: buttons(parts.actions ?? [], context),
    evidence: [...new Set((parts.evidence ?? []).filter((id) => id !== null))],
    trimmed: parts.trimmed ?? null,
    rule: parts.rule,
  };
}

/** "10 of 29 shown", or null when nothing was left out. */
export const shown = (some: number, all: number, what = ''): string | null =>
  some < all ? `${some} of ${all}${what === '' ? '' : ` ${what}`} shown` : null;

/** How many rows each size stands for. */
export const sizeOf = (size: 'few' | 'some' | 'all', all: number): number =>
  size === 'few' ? 5 : size === 'some' ? 10 : all;

/** Title of a feature as people know it: "Loading skeletons", or the id where it has none. */
export const titleOf = (context: Pick<ResolveContext, 'profile'>, id: string): string =>
  context.profile.features.find((feature) => feature.id === id)?.title ?? `Feature ${id}`;
