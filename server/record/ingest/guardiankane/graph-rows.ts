import { LIMITS } from '../../../../shared/limits.ts';
import type { RowSink, SourceInput } from '../adapter.ts';
import type { FactName } from '../facts.ts';
import { fieldsOf, jsonOf } from './document.ts';
import type { Graph, Share } from './graph.ts';
import { featureId, RANKS, RUN } from './names.ts';
import { insideOf } from './paths.ts';
import type { RequirementBook } from './requirement-book.ts';
import { statusOf } from './tracker.ts';

const cut = (text: string | null): string | null => text?.slice(0, LIMITS.sourceText) ?? null;

/** Words of a title that carry its meaning. */
const wordsOf = (title: string): Set<string> =>
  new Set(
    (title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
      (word) => !['a', 'an', 'the', 'and', 'or', 'to', 'of'].includes(word),
    ),
  );

/** Share of words two titles have in common. */
export function likeness(a: string, b: string): number {
  const one = wordsOf(a);
  const other = wordsOf(b);
  const common = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}

/** Likeness from which a use case and a task are taken for the same thing, when no other task comes as close. */
const ALIKE = 0.6;

/** The task a use case is about, by their titles; null when none, or more than one, is close. */
function taskLike(title: string, tasks: readonly { id: string; title: string }[]): string | null {
  const close = tasks
    .map(({ id, title: other }) => ({ id, like: likeness(title, other) }))
    .filter(({ like }) => like >= ALIKE)
    .sort((a, b) => b.like - a.like);
  const [best, second] = close;
  return best && (second === undefined || second.like < best.like) ? best.id : null;
}

/**
 * Rows of one build. Every build gives its nodes, edges and figures; only the latest speaks about states and requirements, since an older
 * one was overtaken by it.
 */
export function graphRows(
  graph: Graph,
  latest: boolean,
  root: string | null,
  book: RequirementBook,
  out: RowSink,
): void {
  const { source, generatedAt } = graph;
  const place = { source_id: source.id, source_kind: source.kind };
  for (const node of graph.nodes) {
    out.add('graph_nodes', {
      graph_id: source.id,
      node_id: insideOf(root, node.id),
      run_id: RUN,
      type: node.type,
      label: cut(node.label),
      state: cut(node.state),
      title: cut(node.title),
      trust: cut(node.trust),
      generated_at_ms: generatedAt?.ms ?? null,
      source_id: source.id,
      source_line: node.line,
    });
  }
  for (const edge of graph.edges) {
    out.add('graph_edges', {
      graph_id: source.id,
      from_node: insideOf(root, edge.from),
      to_node: insideOf(root, edge.to),
      type: edge.type,
      confidence: cut(edge.confidence),
      source_id: source.id,
      source_line: edge.line,
    });
  }
  out.add('log_events', {
    event_id: `${source.id}.build`,
    at_ms: generatedAt?.ms ?? null,
    zone: generatedAt?.zone ?? null,
    level: 'info',
    kind: 'graph_build',
    message: `${graph.nodes.length} nodes, ${graph.edges.length} edges`,
    data: JSON.stringify({
      nodes: graph.nodes.length,
      edges: graph.edges.length,
      drift: graph.drift,
      designed: shareData(graph.design),
      proven: shareData(graph.proven),
    }),
    ...place,
    source_line: graph.line,
  });
  if (!latest) return;
  shares(graph, out);
  const features = graph.nodes.filter(({ type }) => type === 'feature');
  for (const node of features) {
    const status = statusOf(node.state);
    out.add('features_told', {
      feature_id: featureId(node.id),
      run_id: RUN,
      ext_id: node.id,
      title: cut(node.label),
      rank: RANKS.graph,
      source_id: source.id,
      source_line: node.line,
    });
    if (status === null) continue;
    out.add('observations_told', {
      observation_id: `${source.id}.${node.id}.status`,
      run_id: RUN,
      feature_id: featureId(node.id),
      fact: 'status',
      text_value: status,
      basis: 'derived',
      how: `state: ${node.state}`,
      ...place,
      source_line: node.line,
    });
  }
  const named = features.flatMap(({ id, label }) => (label === null ? [] : [{ id, title: label }]));
  for (const node of graph.nodes) {
    if (node.type !== 'claim') continue;
    const task = node.title === null ? null : taskLike(node.title, named);
    book.tell({
      id: node.id,
      task,
      text: cut(node.title),
      kind: 'use_case',
      rank: 2,
      source,
      line: node.line,
    });
  }
  for (const [index, gap] of graph.gaps.entries()) {
    if (/^uc-/i.test(gap.ref)) continue;
    const parent =
      graph.nodes.find(({ type, title }) => type === 'claim' && title !== null && title === gap.useCase)
        ?.id ?? null;
    book.tell({
      id: gap.ref,
      text: cut(gap.title),
      kind: 'criterion',
      parent,
      rank: 2,
      source,
      line: gap.line,
    });
    if (gap.kind !== 'execution-failed') continue;
    book.prove({
      id: gap.ref,
      kind: 'test',
      ref: null,
      polarity: 'refutes',
      link: 'explicit',
      atMs: graph.provenAtMs ?? generatedAt?.ms ?? null,
      says: gap.why,
      source,
      line: gap.line,
      key: `gap${index}`,
    });
  }
}

const shareData = (share: Share | null) =>
  share === null
    ? null
    : {
        percent: share.percent,
        part: share.of?.part ?? null,
        whole: share.of?.whole ?? null,
        line: share.percentLine,
      };

function shares({ source, design, proven }: Graph, out: RowSink): void {
  const word = (fact: FactName, value: number | null | undefined, line: number, how: string): void => {
    if (value === null || value === undefined) return;
    out.add('observations_told', {
      observation_id: `${source.id}.${fact}`,
      run_id: RUN,
      fact,
      value,
      basis: 'derived',
      how,
      source_id: source.id,
      source_kind: source.kind,
      source_line: line,
    });
  };
  const counts = (share: Share | null): string => (share?.of ? `${share.of.part}/${share.of.whole}` : '');
  word('designed_percent', design?.percent, design?.percentLine ?? 0, 'as written');
  word('proven_percent', proven?.percent, proven?.percentLine ?? 0, 'as written');
  word('requirements_designed', design?.of?.part, design?.ofLine ?? 0, counts(design));
  word('requirements_proven', proven?.of?.part, proven?.ofLine ?? 0, counts(proven));
  word(
    'requirements_total',
    (proven?.of ?? design?.of)?.whole,
    (proven ?? design)?.ofLine ?? 0,
    counts(proven ?? design),
  );
}

/** `graph-status.json`: how the last build of the graph went, and how large it says the graph is. */
export async function readGraphStatus(source: SourceInput, out: RowSink): Promise<void> {
  const status = fieldsOf(await jsonOf(source), 'The graph status', source);
  if (status === null) return;
  source.count(1, 0);
  const ok = status.flag('ok');
  const at = status.time(ok === false ? 'attemptedAt' : 'generatedAt');
  out.add('log_events', {
    event_id: `${source.id}.status`,
    at_ms: at?.ms ?? null,
    zone: at?.zone ?? null,
    level: ok === false ? 'error' : 'info',
    kind: 'graph_status',
    message: (
      status.text(ok === false ? 'error' : 'summary') ?? (ok === false ? 'the build failed' : 'built')
    ).slice(0, LIMITS.sourceText),
    data: JSON.stringify({
      ok,
      nodes: status.number('nodeCount', 0, 1e9),
      edges: status.number('edgeCount', 0, 1e9),
      nodes_line: status.line('nodeCount'),
    }),
    source_id: source.id,
    source_kind: source.kind,
    source_line: status.node.line,
  });
}
