import type { Adapter, RowSink, SourceInput } from '../adapter.ts';
import { restText } from '../json-plain.ts';
import { CODEHARNESS_RUN } from './loop-log.ts';
import { stateOf } from './loop-state.ts';
import { at, event, featureId, told } from './rows.ts';

/** Tasks that judge the work of another. */
const JUDGING = new Set(['check', 'review', 'verify']);

/** The verdict a judging task writes into its output; the last one counts. */
const verdictIn = (output: string): 'pass' | 'fail' | null => {
  const word = [...output.matchAll(/<verdict>\s{0,10}(pass|fail)\s{0,10}<\/verdict>/gi)]
    .at(-1)?.[1]
    ?.toLowerCase();
  return word === 'pass' || word === 'fail' ? word : null;
};

async function add(source: SourceInput, out: RowSink): Promise<void> {
  const fields = await stateOf(source);
  if (fields === null) return;
  const [task, story] = [fields.text('taskName'), fields.id('storyId')];
  out.add('runs_told', {
    run_id: CODEHARNESS_RUN,
    harness: 'codeharness',
    name: 'the loop',
    rank: 6,
    ...at(source, null),
  });
  if (task === null || story === null) {
    fields.issues.add(
      'missing_field',
      'warning',
      fields.node.line,
      'The contract names no task or no story, so it was not read.',
    );
    return;
  }
  const feature = featureId(CODEHARNESS_RUN, story);
  const time = fields.time('timestamp');
  const millis = fields.number('duration_ms', 0, 1e12);
  const cost = fields.number('cost_usd', 0, 1e6);
  const verdict = verdictIn(fields.text('output') ?? '');
  const line = fields.line('taskName');
  out.add('features_told', {
    feature_id: feature,
    run_id: CODEHARNESS_RUN,
    ext_id: story,
    rank: 4,
    ...at(source, fields.line('storyId')),
  });
  event(out, source, line, {
    run_id: CODEHARNESS_RUN,
    feature_id: feature,
    time,
    kind: 'contract',
    level: verdict === 'fail' ? 'warning' : 'info',
    message: [
      `${task} of ${story}`,
      fields.text('driver'),
      millis === null ? null : `${millis / 1000} s`,
      verdict,
    ]
      .filter((part) => part !== null)
      .join(', '),
    data: restText(fields.node, ['output', 'taskName', 'storyId', 'timestamp']),
  });
  // The verdict is about the story as a whole.
  out.add('requirements_told', {
    requirement_id: `${feature}.r0`,
    run_id: CODEHARNESS_RUN,
    feature_id: feature,
    ext_id: story,
    text: `Story ${story}`,
    kind: 'feature',
    rank: 4,
    ...at(source, fields.line('storyId')),
  });
  if (JUDGING.has(task)) {
    out.add('gate_events', {
      gate_event_id: `${source.id}.g`,
      run_id: CODEHARNESS_RUN,
      feature_id: feature,
      gate: task,
      verdict: verdict === null ? 'no_verdict' : verdict === 'pass' ? 'pass' : 'block',
      attribution: 'unknown',
      ended_at_ms: time?.ms ?? null,
      duration_ms: millis,
      ...told(source, line),
    });
    if (verdict !== null) {
      out.add('evidence_told', {
        evidence_id: `${source.id}.v`,
        requirement_ref: story,
        kind: 'gate',
        ref_id: `${source.id}.g`,
        polarity: verdict === 'pass' ? 'supports' : 'refutes',
        link: 'explicit',
        at_ms: time?.ms ?? null,
        says: `${task}: ${verdict}`,
        ...told(source, fields.line('output')),
      });
    }
  }
  if (cost !== null) {
    out.add('llm_requests_told', {
      told_id: `${source.id}.r`,
      channel: 'harness',
      run_id: CODEHARNESS_RUN,
      feature_id: feature,
      model: fields.text('model'),
      duration_ms: millis,
      cost_reported_uusd: Math.round(cost * 1e6),
      ...told(source, fields.line('cost_usd')),
    });
  }
}

/** `contracts/*.json` of codeharness: one task of one story, with the verdict in its output where it judges. */
export const contracts: Adapter = {
  id: 'ralph/contracts',
  version: 1,
  label: 'codeharness contracts',
  sources: [
    {
      kind: 'loop_contract',
      paths: ['contracts/*.json', '{ralph,.ralph,.codeharness}/contracts/*.json'],
      sniff: (head) => /"taskName"\s*:/.test(head) && /"storyId"\s*:/.test(head),
    },
  ],
  unit: 'each',
  async read(unit, out) {
    for (const source of unit.sources) await add(source, out);
  },
};
