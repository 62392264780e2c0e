import type { SourceInput } from '../adapter.ts';
import type { Fields, FieldTime } from '../json-fields.ts';
import { fieldsOf, jsonOf, textIn } from './document.ts';

export interface GraphNode {
  id: string;
  type: string;
  label: string | null;
  state: string | null;
  title: string | null;
  trust: string | null;
  line: number;
}
export interface GraphEdge {
  from: string;
  to: string;
  type: string;
  confidence: string | null;
  line: number;
}
/** Something the graph says is missing: a use case without a scenario, a criterion whose test failed. */
export interface Gap {
  ref: string;
  kind: string;
  why: string | null;
  title: string | null;
  useCase: string | null;
  line: number;
}
/** A share as it is shown, with the counts it stands beside. */
export interface Share {
  percent: number | null;
  of: { part: number; whole: number } | null;
  percentLine: number;
  ofLine: number;
}
export interface Graph {
  source: SourceInput;
  generatedAt: FieldTime | null;
  target: string | null;
  nodes: GraphNode[];
  edges: GraphEdge[];
  gaps: Gap[];
  /** How many entries each list of the drift has. */
  drift: Record<string, number>;
  design: Share | null;
  proven: Share | null;
  /** Start of the run of tests that "proven" rests on last. */
  provenAtMs: number | null;
  line: number;
}

/** "10/15". */
function fraction(text: string | null): { part: number; whole: number } | null {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text ?? '');
  return match ? { part: Number(match[1]), whole: Number(match[2]) } : null;
}

function shareIn(fields: Fields | null, counts: string): Share | null {
  if (fields === null) return null;
  return {
    percent: fields.number('pct', 0, 100),
    of: fraction(fields.text(counts)),
    percentLine: fields.line('pct'),
    ofLine: fields.line(counts),
  };
}

/** Reads one build of the graph; null when the file is no graph. */
export async function readGraph(source: SourceInput): Promise<Graph | null> {
  const root = fieldsOf(await jsonOf(source), 'The graph', source);
  if (root === null) return null;
  const nodes: GraphNode[] = [];
  for (const node of root.list('nodes') ?? []) {
    const id = node.kind === 'object' ? textIn(node, 'id') : null;
    const type = node.kind === 'object' ? textIn(node, 'type') : null;
    if (node.kind !== 'object' || id === null || type === null) {
      source.issue(
        'unknown_shape',
        'warning',
        node.line,
        'A node of the graph has no id or no type, so it was not read.',
      );
      source.count(0, 1);
      continue;
    }
    source.count(1, 0);
    const text = (key: string): string | null => textIn(node, key);
    nodes.push({
      id,
      type,
      label: text('label'),
      state: text('state'),
      title: text('title'),
      trust: text('trust'),
      line: node.line,
    });
  }
  const edges: GraphEdge[] = [];
  for (const edge of root.list('edges') ?? []) {
    const from = edge.kind === 'object' ? textIn(edge, 'from') : null;
    const to = edge.kind === 'object' ? textIn(edge, 'to') : null;
    if (edge.kind !== 'object' || from === null || to === null) {
      source.issue(
        'unknown_shape',
        'warning',
        edge.line,
        'An edge of the graph has no ends, so it was not read.',
      );
      source.count(0, 1);
      continue;
    }
    source.count(1, 0);
    edges.push({
      from,
      to,
      type: textIn(edge, 'type') ?? 'unknown',
      confidence: textIn(edge, 'confidence'),
      line: edge.line,
    });
  }
  const drift = root.object('drift');
  const coverage = drift?.members.get('coverage');
  const shares = coverage?.kind === 'object' ? fieldsOf(coverage, 'coverage', source) : null;
  const part = (key: string): Fields | null => {
    const node = shares?.object(key);
    return node ? fieldsOf(node, `coverage: ${key}`, source) : null;
  };
  const proven = part('proven');
  const latest = proven?.object('latest_run');
  return {
    source,
    generatedAt: root.time('generatedAt'),
    target: root.text('target'),
    nodes,
    edges,
    gaps: gapsIn(drift?.members.get('gaps')?.kind === 'array' ? fieldsOf(drift, 'drift', source) : null),
    drift: Object.fromEntries(
      [...(drift?.members ?? [])].flatMap(([key, node]) =>
        node.kind === 'array' && /^\w{1,40}$/.test(key) ? [[key, node.items.length]] : [],
      ),
    ),
    design: shareIn(part('design'), 'acs_designed'),
    proven: shareIn(proven, 'acs_proven'),
    provenAtMs: (latest ? fieldsOf(latest, 'latest_run', source)?.time('started_at')?.ms : null) ?? null,
    line: root.node.line,
  };
}

function gapsIn(drift: Fields | null): Gap[] {
  return (drift?.list('gaps') ?? []).flatMap((node) => {
    const ref = node.kind === 'object' ? (textIn(node, 'id') ?? textIn(node, 'ref')) : null;
    if (node.kind !== 'object' || ref === null) return [];
    const text = (key: string): string | null => textIn(node, key);
    return [
      {
        ref,
        kind: text('kind') ?? 'unknown',
        why: text('why'),
        title: text('title'),
        useCase: text('usecaseTitle'),
        line: node.line,
      },
    ];
  });
}
