import type { Adapter, RowSink, SourceInput, UnitInput } from '../adapter.ts';
import { readContext } from './context-commits.ts';
import { type PackFacts, readPack } from './evidence-pack.ts';
import { type Graph, readGraph } from './graph.ts';
import { graphRows, readGraphStatus } from './graph-rows.ts';
import { memoryPaths, readBugMemory, readKnowledgeMemory } from './memories.ts';
import { rootOf } from './paths.ts';
import { RequirementBook } from './requirement-book.ts';
import { readChat, readExecutions, readFlag, readQuality, readState, readTrace } from './small-files.ts';
import { definitionRows, readDefinition, type TestDefinition } from './test-definition.ts';
import { readResult } from './test-result.ts';
import { readTracker, type Tracker } from './tracker.ts';
import { introduce, packName, pathsOf, trackerRows } from './tracker-rows.ts';

/** A name inside the harness's folder, and the same name at the top of the folder read. */
const own = (...names: string[]): string[] => names.flatMap((name) => [`.testmuai/${name}`, name]);
const DATED = '2[0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]';
/** These names are not the harness's alone. */
const has =
  (...keys: string[]) =>
  (head: string): boolean =>
    keys.every((key) => head.includes(`"${key}"`));

/**
 * Everything GuardianKane keeps beside its log. Read together, because one file only becomes clear by another: which task a
 * criterion belongs to stands in the tracker, what it says in the graph, and whether it holds in the results.
 */
export const documents: Adapter = {
  id: 'guardiankane/documents',
  version: 1,
  label: 'GuardianKane documents',
  sources: [
    { kind: 'task_tracker', paths: own('task-tracker.md'), single: true },
    { kind: 'graph', paths: own('graph.json', `graph-${DATED}.json`), sniff: has('generatedAt', 'nodes') },
    { kind: 'graph_status', paths: own('graph-status.json', `graph-status-${DATED}.json`) },
    { kind: 'bug_memory', paths: own('bug-memory.json'), single: true },
    { kind: 'knowledge_memory', paths: own('knowledge-memory.json'), single: true },
    { kind: 'scope_status', paths: own('scope-status.json'), single: true },
    { kind: 'lock_status', paths: own('lock-status.json'), single: true },
    {
      kind: 'tool_trace',
      paths: own('trace.json'),
      single: true,
      sniff: (head) => /^\s*\[\s*\]?\s*$/.test(head) || has('ts', 'bucket')(head),
    },
    { kind: 'chat_log', paths: own('chat-log.json'), single: true },
    { kind: 'mutation_report', paths: own('quality.json'), single: true, sniff: has('files') },
    { kind: 'test_definition', paths: ['.testmuai/**/*_test.md', 'kane-evidence/**/*_test.md'] },
    { kind: 'test_result', paths: ['.testmuai/**/Result.md', 'kane-evidence/**/Result.md'] },
    {
      kind: 'execution_meta',
      paths: ['.testmuai/**/.internal/meta.json', 'kane-evidence/**/.internal/meta.json'],
    },
    { kind: 'evidence_pack', paths: ['.testmuai/**/*.evidence', 'kane-evidence/**/*.evidence'] },
    { kind: 'context_commit', paths: ['**/.context/commits/*.json'], sniff: has('schema') },
    {
      kind: 'kane_state',
      paths: [
        ...own(
          'guardian-kane.config.json',
          'review-acks.json',
          'chat-pending.json',
          'dashboard-info.json',
          'reconcile-status.json',
        ),
        '.testmuai/variables*.json',
        'variables-app.json',
      ],
    },
  ],
  unit: 'together',
  read,
};

async function read(unit: UnitInput, out: RowSink): Promise<void> {
  const [trackerSource] = unit.of('task_tracker');
  const tracker: Tracker = trackerSource
    ? await readTracker(trackerSource)
    : { tasks: [], phases: new Map() };
  const book = new RequirementBook(out);
  introduce(tracker, book);
  const graphs: Graph[] = [];
  for (const source of unit.of('graph')) {
    const graph = await readGraph(source);
    if (graph) graphs.push(graph);
  }
  const root = await projectFolder(unit, tracker, graphs);
  const definitions = new Map<string, TestDefinition>();
  await each(unit.of('test_definition'), out, async (source) => {
    const definition = await readDefinition(source);
    if (!definition) return;
    definitions.set(definition.name, definition);
    definitionRows(definition, source, book);
  });
  const packs = new Map<string, PackFacts>();
  await each(unit.of('evidence_pack'), out, async (source) => {
    const facts = await readPack(source, book, out);
    if (facts) packs.set(packName(source.path), facts);
  });
  await each(unit.of('test_result'), out, (source) => readResult(source, definitions, book, out));
  await each(unit.of('execution_meta'), out, (source) =>
    readExecutions(source, (name) => book.taskOfTest(name), out),
  );
  await readContext(unit.of('context_commit'), book, out);
  if (trackerSource) trackerRows(trackerSource, tracker, { root, book, packs }, out);
  const latest = graphs.reduce<Graph | null>(
    (best, graph) => ((graph.generatedAt?.ms ?? 0) >= (best?.generatedAt?.ms ?? -1) ? graph : best),
    null,
  );
  for (const graph of graphs) {
    graphRows(graph, graph === latest, root, book, out);
    await out.flush();
  }
  await each(unit.of('graph_status'), out, (source) => readGraphStatus(source, out));
  await each(unit.of('bug_memory'), out, (source) => readBugMemory(source, out));
  await each(unit.of('knowledge_memory'), out, (source) => readKnowledgeMemory(source, tracker, root, out));
  await each([...unit.of('scope_status'), ...unit.of('lock_status')], out, (source) =>
    readFlag(source, root, out),
  );
  await each(unit.of('tool_trace'), out, (source) => readTrace(source, root, out));
  await each(unit.of('chat_log'), out, (source) => readChat(source, out));
  await each(unit.of('mutation_report'), out, (source) => readQuality(source, root, out));
  await each(unit.of('kane_state'), out, (source) => readState(source, out));
}

async function each(
  sources: readonly SourceInput[],
  out: RowSink,
  reader: (source: SourceInput) => Promise<void>,
): Promise<void> {
  for (const source of sources) {
    await reader(source);
    await out.flush();
  }
}

/** Where the project lay: the graph says it, or the paths of the other files do. */
async function projectFolder(
  unit: UnitInput,
  tracker: Tracker,
  graphs: readonly Graph[],
): Promise<string | null> {
  const target = graphs.find(({ target }) => target !== null)?.target;
  if (target) return target.replaceAll('\\', '/').replace(/\/+$/, '');
  const [memory] = unit.of('knowledge_memory');
  return rootOf([...pathsOf(tracker), ...(memory ? await memoryPaths(memory) : [])]);
}
