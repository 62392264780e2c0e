import type { Sentence } from '../../../shared/plan.ts';
import { mentionsIn } from '../mention.ts';
import { type BlockContext, type Issue, quoted, unbound } from './issue.ts';

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
  return mentionsIn(text).flatMap(({ kind, names }) => {
    const what = kind === 'quote' || kind === 'cite' ? 'evidence' : kind;
    return names.flatMap((name) =>
      known[what](name) ? [] : [unbound(path, `There is no ${what} ${quoted(name)}.`, costs)],
    );
  });
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
