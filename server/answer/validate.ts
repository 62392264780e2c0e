import { LIMITS } from '../../shared/limits.ts';
import type { Block, Plan } from '../../shared/plan.ts';
import { mentionsIn } from './mention.ts';
import { validateBlock } from './validate/blocks.ts';
import type { Issue, ValidateContext } from './validate/issue.ts';
import { sentenceIssues } from './validate/mentions.ts';
import { declared, validatePreamble } from './validate/preamble.ts';

export { validateBlock } from './validate/blocks.ts';
export type { BlockContext, Issue, ValidateContext } from './validate/issue.ts';
export { declared, validatePreamble } from './validate/preamble.ts';

/** Facts a block shows or speaks of. */
function factsIn(block: Block): string[] {
  const texts = [block.title];
  const names: string[] = [];
  if (block.type === 'note') texts.push(...block.body.map(({ says }) => says));
  if (block.type === 'stat')
    for (const { fact, compare_to, label, caption } of block.figures) {
      names.push(fact, ...(compare_to === null ? [] : [compare_to]));
      texts.push(label, caption ?? '');
    }
  return [...names, ...texts.flatMap(factsNamed)];
}
const factsNamed = (text: string | null): string[] =>
  mentionsIn(text ?? '').flatMap(({ kind, names }) => (kind === 'fact' ? names : []));

function usedFacts(plan: Plan): Set<string> {
  const outcomes = [...plan.premises, ...plan.checks].flatMap(({ if_true, if_false, if_unknown }) =>
    [if_true, if_false, if_unknown].flatMap(factsNamed),
  );
  const relations = plan.premises.flatMap((premise) => {
    if (premise.type === 'state') return [];
    return premise.type === 'relation' ? [premise.fact, premise.other] : [premise.fact];
  });
  const said = plan.explanation.flatMap(({ says }) => factsNamed(says));
  return new Set([...outcomes, ...relations, ...said, ...plan.blocks.flatMap(factsIn)]);
}

const note = (path: string, says: string): Issue => ({ path, code: 'plan_invalid', says, costs: 'nothing' });

/** Two entries of one name: only the first can be meant. */
const twins = (names: readonly string[], path: string): Issue[] =>
  names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [{ ...note(`${path}[${index}]`, 'The name is taken.'), costs: 'part' as const }]
      : [],
  );

/**
 * Everything in a whole plan that does not hold. The rules for what is painted (`validatePreamble`, `validateBlock`) are
 * these same ones, so that what a planner is asked to mend is what would be missing on the page.
 * @param plan in its strict shape
 * @returns issues in the order of the plan; paths as in `blocks[0].measures[1]`
 */
export function validatePlan(plan: Plan, given: ValidateContext): Issue[] {
  const context = declared(plan, given);
  const used = usedFacts(plan);
  const within = (list: readonly unknown[], max: number, path: string): Issue[] =>
    list.length > max ? [note(path, `At most ${max} are read.`)] : [];
  return [
    ...validatePreamble(plan, given),
    ...twins(
      plan.facts.map(({ name }) => name),
      'facts',
    ),
    ...twins(
      [...plan.premises, ...plan.checks].map(({ name }) => name),
      'outcomes',
    ),
    ...plan.facts.flatMap(({ name }, index) =>
      used.has(name) ? [] : [note(`facts[${index}]`, 'It is declared and never used.')],
    ),
    ...within(plan.facts, LIMITS.facts, 'facts'),
    ...within(plan.premises, LIMITS.premises, 'premises'),
    ...within(plan.checks, LIMITS.checks, 'checks'),
    ...within(plan.explanation, LIMITS.explanation, 'explanation'),
    ...sentenceIssues(plan.explanation, 'explanation', context),
    ...within(plan.blocks, LIMITS.blocks, 'blocks'),
    ...(plan.blocks.length === 0 ? [note('blocks', 'There is no card.')] : []),
    ...plan.blocks.flatMap((block, index) =>
      validateBlock(block, context).map((issue) => ({ ...issue, path: `blocks[${index}].${issue.path}` })),
    ),
    ...(plan.followUps.length === LIMITS.followUps
      ? []
      : [note('followUps', `There are ${LIMITS.followUps} of them.`)]),
  ];
}
