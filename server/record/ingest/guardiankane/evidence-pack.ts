import { unzipSync } from 'fflate';
import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { Fields } from '../json-fields.ts';
import { fieldsOf, textsIn, yamlOf } from './document.ts';
import { familyRow } from './families.ts';
import { familyFault } from './faults.ts';
import { RUN } from './names.ts';
import { testName } from './paths.ts';
import type { RequirementBook } from './requirement-book.ts';

/** What a pack says of itself. */
export interface PackFacts {
  sourceId: string;
  startedAtMs: number | null;
  endedAtMs: number | null;
  zone: string | null;
}

/** The texts of a pack that are read; everything else in it (pictures, traces) is left alone. */
const WANTED =
  /^(?:run\.yaml|failure\.yaml|coverage\/usecases\.yaml|tests\/[\w.-]{1,160}\/(?:result\.yaml|steps\/[\w.-]{1,160}\/failure\.yaml))$/;

/**
 * Unpacks the texts of an archive within bounds: what it would become is judged by its own table of contents before a byte is
 * unpacked, and nothing becomes larger than that table says.
 */
function textsOf(bytes: Uint8Array, source: SourceInput): Map<string, string> {
  const refused = { names: 0, large: 0, many: 0 };
  let entries = 0;
  let texts = 0;
  let all = 0;
  const seen = new Set<string>();
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, size, originalSize }) => {
        entries += 1;
        if (entries > LIMITS.archiveEntries) {
          refused.many += 1;
          return false;
        }
        if (/(?:^|\/)\.\.(?:\/|$)|^\/|^[A-Za-z]:|[\\\0]/.test(name)) {
          refused.names += 1;
          return false;
        }
        if (!WANTED.test(name) || seen.has(name)) return false;
        seen.add(name);
        const large =
          size > LIMITS.archivePackedBytes ||
          originalSize > LIMITS.archiveTextBytes ||
          originalSize > (size + 100) * LIMITS.archiveRatio ||
          all + originalSize > LIMITS.archiveAllBytes;
        if (large) refused.large += 1;
        else if (texts >= LIMITS.archiveTexts) refused.many += 1;
        else {
          texts += 1;
          all += originalSize;
          return true;
        }
        return false;
      },
    });
    report(refused, source);
    const decoder = new TextDecoder('utf-8');
    return new Map(Object.entries(files).map(([name, content]) => [name, decoder.decode(content)]));
  } catch {
    source.issue(
      'archive_invalid',
      'error',
      null,
      'The pack is no archive that can be read, so nothing of it was.',
    );
    source.count(0, 1);
    return new Map();
  }
}

function report(refused: { names: number; large: number; many: number }, source: SourceInput): void {
  if (refused.names > 0) {
    source.issue(
      'outside_folder',
      'warning',
      null,
      `${refused.names} names in the pack point outside it; they were not read.`,
    );
  }
  if (refused.large > 0) {
    source.issue(
      'archive_too_large',
      'warning',
      null,
      `${refused.large} texts in the pack are larger than is unpacked, or would become so.`,
    );
  }
  if (refused.many > 0) {
    source.issue(
      'too_many_entries',
      'warning',
      null,
      `The pack holds more than is read; ${refused.many} entries were left out.`,
    );
  }
}

const CASES: Readonly<Record<string, string>> = {
  passed: 'passed',
  failed: 'failed',
  broken: 'error',
  skipped: 'skipped',
};
const caseOf = (status: string | null): string =>
  status !== null && Object.hasOwn(CASES, status) ? (CASES[status] ?? 'error') : 'error';

/**
 * Reads an evidence pack (zip): its run, the tests in it, what their steps verify, and the families of failures.
 * @returns what the pack says of itself; null when it could not be read
 */
export async function readPack(
  source: SourceInput,
  book: RequirementBook,
  out: RowSink,
): Promise<PackFacts | null> {
  const bytes = await source.bytes();
  if (bytes === null) return null;
  const texts = textsOf(bytes, source);
  const runText = texts.get('run.yaml');
  const run = runText === undefined ? null : fieldsOf(yamlOf(source, runText), 'run.yaml', source);
  if (run === null) {
    if (texts.size > 0)
      source.issue('missing_field', 'warning', null, 'The pack has no run.yaml, so it proves nothing.');
    return null;
  }
  source.count(1, 0);
  const started = run.time('started');
  const ended = run.time('ended');
  const facts = {
    sourceId: source.id,
    startedAtMs: started?.ms ?? null,
    endedAtMs: ended?.ms ?? null,
    zone: started?.zone ?? null,
  };
  const finalized = run.text('status');
  const results = [...texts].flatMap(([name, text]) => {
    const folder = /^tests\/([^/]+)\/result\.yaml$/.exec(name)?.[1];
    const fields = folder === undefined ? null : fieldsOf(yamlOf(source, text), name, source);
    return folder === undefined || fields === null ? [] : [{ folder, fields }];
  });
  const statuses = results.map(({ fields }) => caseOf(fields.text('status')));
  out.add('test_runs', {
    test_run_id: source.id,
    run_id: RUN,
    framework: 'kane',
    started_at_ms: facts.startedAtMs,
    zone: facts.zone,
    duration_ms:
      facts.startedAtMs !== null && facts.endedAtMs !== null && facts.endedAtMs >= facts.startedAtMs
        ? facts.endedAtMs - facts.startedAtMs
        : null,
    load_errors: 0,
    cases: results.length,
    status:
      results.length === 0
        ? 'empty'
        : statuses.includes('error')
          ? 'errored'
          : statuses.includes('failed')
            ? 'failed'
            : 'passed',
    source_id: source.id,
    source_line: null,
  });
  for (const { folder, fields } of results) {
    source.count(1, 0);
    testRows(
      source,
      { folder, fields, facts, final: finalized === null || finalized === 'finalized' },
      texts,
      book,
      out,
    );
  }
  return facts;
}

function testRows(
  source: SourceInput,
  { folder, fields, facts, final }: { folder: string; fields: Fields; facts: PackFacts; final: boolean },
  texts: ReadonlyMap<string, string>,
  book: RequirementBook,
  out: RowSink,
): void {
  const name = testName(fields.text('external_id') ?? folder);
  const task = book.taskOfTest(name);
  const id = `${source.id}.${folder}`;
  const triage = triageOf(source, folder, texts);
  const verifies: string[] = [];
  for (const [index, node] of (fields.list('steps') ?? []).entries()) {
    const step = fieldsOf(node, `${folder}: step ${index + 1}`, source);
    const criteria = step ? criteriaOf(step) : [];
    verifies.push(...criteria);
    const status = step?.text('status') ?? null;
    // A step that was not run, a pack that was never closed, or a fault of the verifier's own proves nothing.
    const void_ = !final || status === 'skipped' || (status !== 'passed' && (triage?.void ?? false));
    for (const criterion of criteria) {
      book.prove({
        id: criterion,
        task,
        kind: 'test',
        ref: id,
        polarity: void_ ? 'void' : status === 'passed' ? 'supports' : 'refutes',
        link: 'explicit',
        atMs: facts.endedAtMs ?? facts.startedAtMs,
        says: `${name}: ${status ?? 'no status'}${triage === null || status === 'passed' ? '' : ` (${triage.says})`}`,
        source,
        line: null,
        key: `${folder}.${index}`,
      });
    }
  }
  out.add('test_results', {
    test_result_id: id,
    test_run_id: source.id,
    file: name,
    name,
    status: caseOf(fields.text('status')),
    duration_ms: fields.number('duration_ms', 0, 1e12),
    message: triage?.says ?? null,
    requirement_refs:
      verifies.length === 0
        ? null
        : [...new Set(verifies)]
            .map((criterion) => book.rowId(criterion, task))
            .join(' ')
            .slice(0, LIMITS.sourceText),
    source_id: source.id,
    source_line: null,
  });
  if (triage) {
    out.add(
      'log_events',
      familyRow(source, {
        key: folder,
        task,
        atMs: facts.endedAtMs,
        zone: facts.zone,
        title: name,
        cause: triage.cause,
        family: triage.family,
        confidence: triage.confidence,
        line: null,
      }),
    );
  }
}

/** Criteria a step verifies: a list, or one text with commas. */
function criteriaOf(step: Fields): string[] {
  const node = step.node.members.get('verifies');
  const written =
    node?.kind === 'string'
      ? node.value.split(/[\s,]+/)
      : node?.kind === 'array'
        ? textsIn(node.items).map(({ text }) => text)
        : [];
  return written.filter((text) => text !== '').slice(0, 200);
}

interface Triage {
  family: string;
  confidence: number | null;
  cause: string | null;
  says: string;
  void: boolean;
}

/** The triage of the first failed step of a test. */
function triageOf(source: SourceInput, folder: string, texts: ReadonlyMap<string, string>): Triage | null {
  for (const [name, text] of texts) {
    if (!name.startsWith(`tests/${folder}/steps/`)) continue;
    const failure = fieldsOf(yamlOf(source, text), name, source);
    const rca = failure?.object('triage')?.members.get('rca');
    const fields = rca?.kind === 'object' ? fieldsOf(rca, `${name}: rca`, source) : null;
    const family = fields?.text('category');
    if (!fields || !family) continue;
    const confidence = fields.number('confidence', 0, 1);
    const cause = fields.text('root_cause');
    return {
      family,
      confidence,
      cause,
      says: [cause, confidence === null ? family : `${family}, confidence ${confidence}`]
        .filter((part) => part !== null)
        .join(' — '),
      void: provesNothing(family, confidence),
    };
  }
  return null;
}

/** A failure the verifier itself takes for its own, and is rather sure of, says nothing about the criterion. */
export const provesNothing = (family: string, confidence: number | null): boolean =>
  ['verifier', 'infra'].includes(familyFault(family, confidence).attribution) && (confidence ?? 0) >= 0.5;
