import type { ReactNode } from 'react';
import { CODES, isCode } from '../../../../shared/codes.ts';
import type { Trace } from '../../../../shared/wire.ts';
import { parseJson } from '../../lib/unknown.ts';
import { duration, plural } from '../../lib/words.ts';
import { Code } from './Code.tsx';
import { CopyText } from './CopyText.tsx';

/** The text set out line by line when it is JSON, else as it was written. */
export function prettyPlan(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** The plan as it was written. Shown as text, whatever it holds. */
export function Plan({ trace }: { trace: Trace }): ReactNode {
  const { plan, premises, evidence } = trace;
  const first = plan.pieces[0];
  const last = plan.pieces.at(-1);
  const text = prettyPlan(plan.text);
  const how =
    first === undefined || last === undefined
      ? 'Nothing was written.'
      : `${plural(plan.text.length, 'character')} in ${plural(plan.pieces.length, 'piece')}, the first after ${duration(first.ms)}, the last after ${duration(last.ms)}.`;
  return (
    <section>
      <h3>
        Plan, as {trace.planner.name === '' ? 'the planner' : trace.planner.name} wrote it
        <span>{text === '' ? null : <CopyText label="Copy" text={text} />}</span>
      </h3>
      <p className="sub">
        {how}
        {isCode(plan.code) ? ` It ended early: ${CODES[plan.code].title}.` : ''}
      </p>
      {text === '' ? null : <Code text={text} />}
      {premises.length === 0 && evidence.length === 0 ? null : (
        <dl className="facts">
          {premises.map((one) => (
            <div key={`${one.feature} ${one.measure} ${one.claimed}`}>
              <dt>Premise</dt>
              <dd>
                “{one.claimed}” ({one.measure}
                {one.feature === null ? '' : `, feature ${one.feature}`}): {one.verdict}
              </dd>
            </div>
          ))}
          {evidence.length === 0 ? null : (
            <div>
              <dt>Evidence given</dt>
              <dd>{evidence.map(({ id, place }) => `${id} ${place}`).join(', ')}</dd>
            </div>
          )}
        </dl>
      )}
    </section>
  );
}
