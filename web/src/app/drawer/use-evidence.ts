import { useEffect, useState } from 'react';
import type { Evidence } from '../../../../shared/wire.ts';
import { getEvidence } from '../../lib/api.ts';

export type Loaded = { state: 'loading' } | { state: 'missing' } | { state: 'there'; evidence: Evidence };

/** Fetches what is behind a query; an older request is dropped when another takes its place. */
export function useEvidence(queryId: string): Loaded {
  const [loaded, setLoaded] = useState<{ id: string; result: Loaded } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    void getEvidence(queryId, controller.signal).then((evidence) => {
      if (controller.signal.aborted) return;
      setLoaded({
        id: queryId,
        result: evidence === null ? { state: 'missing' } : { state: 'there', evidence },
      });
    });
    return () => controller.abort();
  }, [queryId]);
  return loaded?.id === queryId ? loaded.result : { state: 'loading' };
}
