import { BASES, UNITS } from '../../../shared/cards.ts';
import { PROTOCOL } from '../../../shared/catalog.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { Evidence, Health } from '../../../shared/wire.ts';
import { readProjectRef } from '../projects/read.ts';
import { readFigure } from './figures.ts';
import { count, fields, isRecord, list, number, oneOf, text } from './unknown.ts';

/** Lines of raw text, rows and sources the page takes in at most. */
const MOST = 200;

/** Gets JSON; undefined when there is none to be had. Never rejects. */
export async function getJson(url: string, signal?: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      ...(signal ? { signal } : {}),
    });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/** Posts JSON and does not wait for anything. Never rejects. */
function post(url: string, body: unknown): void {
  void fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => undefined);
}

/**
 * `GET /api/health` of a project, the default one's for null; null when the server does not answer. Of a project that is not
 * loaded there is no record, but all the rest.
 */
export async function getHealth(project: string | null = null): Promise<Health | null> {
  const value = await getJson(project === null ? '/api/health' : `/api/health?project=${project}`);
  if (isRecord(value)) return readHealth(value);
  if (project === null) return null;
  const other = await getHealth();
  return other && { ...other, record: null };
}

export function readHealth(value: unknown): Health {
  const health = fields(value);
  const planner = fields(health.planner);
  const record = isRecord(health.record) ? health.record : null;
  return {
    ok: health.ok === true,
    protocol: text(health.protocol) ?? '',
    catalogId: text(health.catalogId) ?? '',
    planner: { kind: oneOf(planner.kind, ['builtin', 'model'], 'builtin'), model: text(planner.model) },
    ...(health.replay === true ? { replay: true } : {}),
    record: record && {
      project: text(record.project) ?? '',
      run: text(record.run) ?? '',
      fingerprint: text(record.fingerprint) ?? '',
      features: count(record.features),
      findings: count(record.findings),
      sources: list(
        record.sources,
        (item) => {
          const source = fields(item);
          return {
            label: text(source.label) ?? '',
            kind: text(source.kind) ?? '',
            basis: oneOf(source.basis, BASES, 'unknown'),
            facts: count(source.facts),
            disputed: source.disputed === true,
            issues: count(source.issues),
          };
        },
        MOST,
      ),
      suggestions: list(record.suggestions, text, LIMITS.followUps + 3),
    },
  };
}

/** `GET /api/evidence/:id`, or null when the query is not kept any more or the server does not answer. */
export async function getEvidence(id: string, signal: AbortSignal): Promise<Evidence | null> {
  const value = await getJson(`/api/evidence/${encodeURIComponent(id)}`, signal);
  return isRecord(value) ? readEvidence(value) : null;
}

export function readEvidence(value: unknown): Evidence {
  const evidence = fields(value);
  const project = readProjectRef(evidence.project);
  return {
    id: text(evidence.id) ?? '',
    ...(project === null ? {} : { project }),
    title: text(evidence.title) ?? '',
    words: text(evidence.words) ?? '',
    sql: text(evidence.sql) ?? '',
    params: list(evidence.params, (item) => text(item) ?? number(item), MOST),
    ms: Math.max(0, number(evidence.ms) ?? 0),
    figure: isRecord(evidence.figure) ? readFigure(evidence.figure) : null,
    rows: list(
      evidence.rows,
      (item) => {
        const row = fields(item);
        return {
          label: text(row.label) ?? '',
          value: number(row.value),
          unit: oneOf(row.unit, UNITS, 'none'),
          basis: oneOf(row.basis, BASES, 'unknown'),
          source: text(row.source) ?? '',
          sourceId: text(row.sourceId) ?? '',
          line: number(row.line),
          counted: row.counted === true,
          how: text(row.how) ?? '',
        };
      },
      MOST,
    ),
    total: count(evidence.total),
    raw: list(
      evidence.raw,
      (item) => {
        const source = fields(item);
        return {
          source: text(source.source) ?? '',
          sourceId: text(source.sourceId) ?? '',
          basis: oneOf(source.basis, BASES, 'unknown'),
          lines: list(
            source.lines,
            (entry) => {
              const line = fields(entry);
              return { line: count(line.line), text: text(line.text) ?? '', cited: line.cited === true };
            },
            MOST,
          ),
        };
      },
      MOST,
    ),
  };
}

/** `POST /api/answers/:id/stop` */
export const postStop = (id: string): void => post(`/api/answers/${encodeURIComponent(id)}/stop`, {});

export interface ClientError {
  code: string;
  surfaceId: string;
  path?: string;
  message: string;
}

/** Reports sent in the life of a page; beyond it something is wrong that more reports do not tell. */
const REPORTS = 40;

/** Tells the server of an error of a surface. */
export type Reporter = (error: ClientError) => void;

/** Sends A2UI client errors to the server, each different one once. */
export function createReporter(
  send: (body: unknown) => void = (body) => post('/api/report', body),
): Reporter {
  const sent = new Set<string>();
  return (error) => {
    const body = {
      version: PROTOCOL,
      error: {
        code: error.code.slice(0, 64),
        surfaceId: error.surfaceId.slice(0, 100),
        ...(error.path === undefined ? {} : { path: error.path.slice(0, 200) }),
        message: error.message.slice(0, 500),
      },
    };
    const key = JSON.stringify(body);
    if (sent.has(key) || sent.size >= REPORTS) return;
    sent.add(key);
    send(body);
  };
}
