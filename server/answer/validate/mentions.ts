import type { Sentence } from '../../../shared/plan.ts';
import { type BlockContext, type Issue, quoted, unbound } from './issue.ts';

/** `{fact}`, `{feature:28}`, `{quote:E3}`, `[E3]`, `[E1, E2]`: what prose of a plan may mention. */
const MENTION =
  /\{(?:quote:(E\d{1,3})|feature:([^{}]{1,80})|([A-Za-z_][\w-]{0,63}))\}|\[(E\d{1,3}(?:\s*,\s*E\d{1,3})*)\]/g;

type Mention = { kind: 'fact' | 'feature' | 'evidence'; name: string };

/** Everything a text mentions, in order. */
export function mentions(text: string): Mention[] {
  return [...text.matchAll(MENTION)].flatMap(([, quote, feature, fact, cites]): Mention[] => {
    if (fact !== undefined) return [{ kind: 'fact', name: fact }];
    if (feature !== undefined) return [{ kind: 'feature', name: feature.trim() }];
    return (cites ?? quote ?? '').split(',').map((id) => ({ kind: 'evidence', name: id.trim() }));
  });
}

/** Mentions of a text that lead nowhere. */
export function textIssues(
  text: string | null,
  path: string,
  context: BlockContext,
  costs: Issue['costs'],
): Issue[] {
  if (text === null) return [];
  const known = {
    fact: (name: string) => context.facts.has(name),
    feature: (name: string) => context.profile.features.some(({ id }) => id === name),
    evidence: (name: string) => context.evidence.some(({ id }) => id === name),
  };
  return mentions(text).flatMap(({ kind, name }) =>
    known[kind](name) ? [] : [unbound(path, `There is no ${kind} ${quoted(name)}.`, costs)],
  );
}

/**
 * What is wrong with sentences, each of which can be left out by itself. A condition nobody declared would leave open
 * when to say it; a mention that leads nowhere is the resolver's to replace ("not recorded").
 */
export function sentenceIssues(sentences: readonly Sentence[], path: string, context: BlockContext): Issue[] {
  return sentences.flatMap(({ says, when }, index): Issue[] => {
    const at = `${path}[${index}]`;
    const condition =
      when === null || context.outcomes.has(when.name)
        ? []
        : [unbound(at, `There is no premise or check ${quoted(when.name)}.`, 'part')];
    return [...condition, ...textIssues(says, at, context, 'nothing')];
  });
}
