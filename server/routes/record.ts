import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { rowsAsCsv } from '../../shared/csv.ts';
import { LIMITS } from '../../shared/limits.ts';
import { type Evidence, InProject } from '../../shared/wire.ts';
import type { AllRows } from '../answer/evidence.ts';
import type { RawLines } from '../record/store.ts';
import { refuse } from './reply.ts';

const QueryId = z.object({ queryId: z.string().regex(/^[\w:.-]{1,128}$/) });
const Place = z.object({
  source: z.string().min(1).max(200),
  line: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
});

export interface RecordParts {
  /** What is behind a query id of an answer; null when it is not known any more. */
  evidence(queryId: string): Promise<Evidence | null>;
  /** All rows behind a query id, and how many there are; null when it is not known any more. */
  rows(queryId: string): Promise<AllRows | null>;
  /** @param project whose source it is; the default one's when left out */
  rawLines(
    source: string,
    line: number,
    around: number,
    project: string | undefined,
  ): Promise<RawLines | null>;
}

/** Ending of the address under which the rows of a query are a file. */
const CSV = '.csv';

/** What stands behind a figure: the query with its rows, all its rows as CSV, and the lines of the source. */
export function recordRoutes(app: FastifyInstance, parts: RecordParts): void {
  app.get('/api/evidence/:queryId', async (request, reply) => {
    const params = QueryId.safeParse(request.params);
    if (params.success && params.data.queryId.endsWith(CSV)) {
      const queryId = params.data.queryId.slice(0, -CSV.length);
      const all = await parts.rows(queryId);
      if (all === null) return refuse(reply, 404, 'not_found');
      return reply
        .type('text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="looplight-${queryId.replace(/[^\w-]/g, '_')}.csv"`,
        )
        .send(rowsAsCsv(all.rows, all.total));
    }
    const evidence = params.success ? await parts.evidence(params.data.queryId) : null;
    return evidence === null ? refuse(reply, 404, 'not_found') : reply.send(evidence);
  });

  app.get('/api/raw/:source/:line', async (request, reply) => {
    const params = Place.safeParse(request.params);
    const query = InProject.safeParse(request.query);
    const lines =
      params.success && query.success
        ? await parts.rawLines(params.data.source, params.data.line, LIMITS.evidenceLines, query.data.project)
        : null;
    return lines === null ? refuse(reply, 404, 'not_found') : reply.send(lines);
  });
}
