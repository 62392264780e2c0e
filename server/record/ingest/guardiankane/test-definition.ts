import type { SourceInput } from '../adapter.ts';
import { linesOf } from '../lines.ts';
import { SourceIssues } from '../source-issues.ts';
import { testName } from './paths.ts';
import type { RequirementBook } from './requirement-book.ts';

/** A step that proves something, and what. */
export interface VerifyingStep {
  n: number;
  criteria: string[];
  /** The promise the step states, if it states one. */
  promise: string | null;
  line: number;
}
export interface TestDefinition {
  name: string;
  title: string | null;
  steps: VerifyingStep[];
}

const STEP = /^## Step (\d{1,5})\b/;
const VERIFIES = /@verifies ((?:[\w.-]{1,80}[ ,]{0,3}){1,200})$/;
const PROMISE = /the stated promise: (.{1,2000})$/;

/** Reads a test as it was written: `*_test.md`, steps with `@verifies` naming criteria. */
export async function readDefinition(source: SourceInput): Promise<TestDefinition | null> {
  const text = await source.text();
  if (text === null) return null;
  const steps: VerifyingStep[] = [];
  let title: string | null = null;
  let current: VerifyingStep | null = null;
  let all = 0;
  for (const { no, text: line } of linesOf(text, new SourceIssues(source))) {
    title ??= /^# (.{1,400})$/.exec(line)?.[1] ?? null;
    const step = STEP.exec(line);
    if (step) {
      all += 1;
      const criteria =
        VERIFIES.exec(line)?.[1]
          ?.split(/[\s,]+/)
          .filter((id) => id !== '') ?? [];
      current = { n: Number(step[1]), criteria, promise: null, line: no };
      if (criteria.length > 0) steps.push(current);
    } else if (current && current.promise === null) current.promise = PROMISE.exec(line)?.[1] ?? null;
  }
  source.count(all, 0);
  return { name: testName(source.path), title, steps };
}

/** Criteria the definition names, as requirements of the task the test belongs to. */
export function definitionRows(definition: TestDefinition, source: SourceInput, book: RequirementBook): void {
  const task = book.taskOfTest(definition.name);
  for (const { criteria, promise, line } of definition.steps) {
    for (const id of criteria) {
      if (task !== null) book.holds(id, task, null);
      // One promise stands for all criteria of its step: it words none of them alone.
      const text =
        criteria.length === 1
          ? promise
          : promise === null
            ? definition.title
            : `${promise} (${criteria.length} criteria)`;
      book.tell({ id, task, text, kind: 'criterion', rank: 3, source, line });
    }
  }
}
