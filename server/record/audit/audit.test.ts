import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecord } from '../index.ts';
import { acceptThreshold } from '../ingest/agentforge/thresholds.ts';
import { SMALL, smallFiles, testFolder } from '../test-folder.ts';
import { RULES } from './index.ts';
import { disagreement } from './sources-disagree.ts';
import { factText, listText } from './words.ts';

async function findings(
  files: Record<string, string>,
  rule: string,
): Promise<{ about: unknown; fact: unknown; says: unknown }[]> {
  const record = await openRecord({ root: await testFolder(files), database: ':memory:' });
  onTestFinished(() => record.close());
  const { rows } = await record.store.query(
    'SELECT coalesce(f.ext_id, $2) AS about, d.fact, d.says FROM findings d LEFT JOIN features f USING (feature_id) WHERE d.rule = $1 ORDER BY d.finding_id',
    [rule, 'run'],
  );
  return rows.map((row) => ({ about: row.about, fact: row.fact, says: row.says }));
}
const without = (...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(smallFiles()).filter(([name]) => !names.includes(name)));

/** The small run as its metrics would be if they told what the log tells. */
const agreeing = (): Record<string, string> => {
  const metrics: unknown = JSON.parse(SMALL.metrics());
  if (
    typeof metrics !== 'object' ||
    metrics === null ||
    !('features' in metrics) ||
    !Array.isArray(metrics.features)
  ) {
    throw new Error('the small run has features');
  }
  const [first, second] = metrics.features;
  const attempts = [{ score: 9, duration_sec: 177 }];
  return {
    ...smallFiles(),
    'metrics.json': JSON.stringify({
      ...metrics,
      features: [
        { ...first, attempts: [{ score: 9, duration_sec: 118 }] },
        { ...second, attempts },
      ],
    }),
  };
};

describe('sources_disagree', () => {
  it('finds each fact the sources tell differently, once', async () => {
    expect(await findings(smallFiles(), 'sources_disagree')).toEqual([
      {
        about: '2',
        fact: 'attempts',
        says: 'metrics.json says 3 attempts, the progress log and the commit say 1',
      },
      {
        about: '3',
        fact: 'attempts',
        says: 'metrics.json says 2 attempts, the progress log and the commits of this run know of none',
      },
    ]);
  });

  it('names every source of the run that does not know of claimed attempts', async () => {
    const found = await findings(without('git-log.jsonl'), 'sources_disagree');
    expect(found.find((one) => one.about === '3')?.says).toBe(
      'metrics.json says 2 attempts, the progress log of this run knows of none',
    );
  });

  it('finds nothing where the sources agree', async () => {
    expect(await findings(agreeing(), 'sources_disagree')).toEqual([]);
  });

  it('finds nothing where there is nothing to set a claim against', async () => {
    expect(await findings(without('claude-progress.txt', 'git-log.jsonl'), 'sources_disagree')).toEqual([]);
    expect(await findings(without('metrics.json'), 'sources_disagree')).toEqual([]);
  });

  it('lets clocks differ by a few seconds, and no more', async () => {
    const log = (seconds: number): string => SMALL.progress.replace('177s', `${seconds}s`);
    const of = async (seconds: number) =>
      (await findings({ ...agreeing(), 'claude-progress.txt': log(seconds) }, 'sources_disagree')).map(
        (one) => one.fact,
      );
    expect(await of(175)).toEqual([]);
    expect(await of(120)).toEqual(['build_time']);
  });

  it('cites a row for each source', async () => {
    const record = await openRecord({ root: await testFolder(smallFiles()), database: ':memory:' });
    onTestFinished(() => record.close());
    const { rows } = await record.store.query(
      "SELECT source_id, source_line, observation_id FROM finding_rows WHERE finding_id = 'sources_disagree.r2.f2.attempts' ORDER BY source_id",
    );
    expect(rows).toEqual([
      { source_id: 'git', source_line: 5, observation_id: 'r2.f2.attempts.git' },
      { source_id: 'metrics', source_line: expect.any(Number), observation_id: 'r2.f2.attempts.metrics' },
      { source_id: 'progress_log', source_line: 5, observation_id: 'r2.f2.attempts.progress_log' },
    ]);
  });
});

describe('passed_then_retried', () => {
  it('finds a passing score that is followed by another attempt', async () => {
    expect(await findings(smallFiles(), 'passed_then_retried')).toEqual([
      { about: '2', fact: 'attempts', says: 'A 6 already passes at 5, yet attempt 3 follows' },
    ]);
  });

  it('finds nothing where the last attempt is the first that passes', async () => {
    expect(
      await findings(
        { ...smallFiles(), 'metrics.json': SMALL.metrics().replace('"score": 6', '"score": 4.5') },
        'passed_then_retried',
      ),
    ).toEqual([]);
    expect(await findings(agreeing(), 'passed_then_retried')).toEqual([]);
  });

  it('takes the threshold of the category', () => {
    expect(acceptThreshold('scaffold').value).toBe(4);
    expect(acceptThreshold('cards').value).toBe(5);
    expect(acceptThreshold(null)).toMatchObject({
      value: 5,
      basis: 'derived',
      why: expect.stringContaining('e9ef3c1'),
    });
  });
});

/** The small run with other totals; it lists six attempts of 30 and 5 tokens, and 420 s in all. */
const totalling = (totals: Record<string, number>): Record<string, string> => {
  const metrics: unknown = JSON.parse(SMALL.metrics());
  return {
    ...smallFiles(),
    'metrics.json': JSON.stringify({ ...(typeof metrics === 'object' ? metrics : {}), totals }),
  };
};

describe('totals_differ', () => {
  it('finds a total that is not the sum of the parts', async () => {
    expect(await findings(smallFiles(), 'totals_differ')).toEqual([
      {
        about: 'run',
        fact: 'elapsed',
        says: 'metrics.json gives 300 s as its total, its 3 features add up to 420',
      },
      {
        about: 'run',
        fact: 'tokens',
        says: 'metrics.json gives 100 coder tokens as its total, its 3 features add up to 180',
      },
      {
        about: 'run',
        fact: 'tokens',
        says: 'metrics.json gives 20 evaluator tokens as its total, its 3 features add up to 30',
      },
    ]);
  });

  it('finds nothing where the parts add up, nor where a run took longer than its parts', async () => {
    for (const elapsed_sec of [420, 5000])
      expect(
        await findings(totalling({ tokens_coder: 180, tokens_evaluator: 30, elapsed_sec }), 'totals_differ'),
      ).toEqual([]);
    expect(await findings(totalling({}), 'totals_differ')).toEqual([]);
  });

  it('adds up nothing where an attempt has no figure', async () => {
    const files = { ...smallFiles(), 'metrics.json': SMALL.metrics().replace('"tokens_coder": 30,', '') };
    expect((await findings(files, 'totals_differ')).map(({ says }) => says)).not.toContainEqual(
      expect.stringContaining('coder tokens'),
    );
  });
});

describe('reading', () => {
  it('lists what could not be read, with its line, and nothing where all was', async () => {
    expect(await findings(smallFiles(), 'reading')).toEqual([]);
    const broken = { ...smallFiles(), 'metrics.json': SMALL.metrics().slice(0, 900) };
    const record = await openRecord({ root: await testFolder(broken), database: ':memory:' });
    onTestFinished(() => record.close());
    const { rows } = await record.store.query(
      "SELECT d.says, d.run_id, w.source_id, w.source_line FROM findings d JOIN finding_rows w USING (finding_id) WHERE d.rule = 'reading'",
    );
    const { rows: issues } = await record.store.query(
      "SELECT detail AS says, CAST(NULL AS VARCHAR) AS run_id, source_id, line_no AS source_line FROM ingest_issues WHERE severity <> 'info'",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(issues);
  });
});

describe('the time of the run', () => {
  it('is said to lie between the commit and the last line, and rests on both', async () => {
    const record = await openRecord({ root: await testFolder(smallFiles()), database: ':memory:' });
    onTestFinished(() => record.close());
    // 10:00:00 to 10:05:01 is 301 s; the file says 300 s, which is the same within tolerance.
    expect(await findings(smallFiles(), 'sources_disagree')).not.toContainEqual(
      expect.objectContaining({ fact: 'elapsed' }),
    );
    const files = totalling({ elapsed_sec: 900 });
    expect((await findings(files, 'sources_disagree')).find(({ fact }) => fact === 'elapsed')?.says).toBe(
      'metrics.json says 900 s, 301 s lie between the commit that starts the run (10:00:00) and the last entry of the progress log (10:05:01)',
    );
    const own = await openRecord({ root: await testFolder(files), database: ':memory:' });
    onTestFinished(() => own.close());
    const { rows } = await own.store.query(
      "SELECT w.source_id, w.source_line FROM finding_rows w JOIN findings d USING (finding_id) WHERE d.fact = 'elapsed' AND d.rule = 'sources_disagree' ORDER BY w.source_id",
    );
    expect(rows).toEqual([
      { source_id: 'git', source_line: 3 },
      { source_id: 'metrics', source_line: expect.any(Number) },
      { source_id: 'progress_log', source_line: 5 },
    ]);
  });
});

describe('the words of findings', () => {
  const telling = (kind: string, label: string, value: number, rank: number, counted = false) => ({
    kind,
    label,
    value,
    text: null,
    rank,
    counted,
  });

  it('puts the weakest source first and the counted value last', () => {
    const tellings = [
      telling('progress_log', 'p', 86, 1, true),
      telling('git', 'git log', 255, 2),
      telling('metrics', 'metrics.json', 255, 3),
    ];
    expect(disagreement('build_time', '-07:00', false, tellings)).toBe(
      'metrics.json and the commit times say 255 s, the progress log says 86 s',
    );
    expect(disagreement('elapsed', '-07:00', true, tellings)).toBe(
      'metrics.json and the git log say 255 s, the progress log says 86 s',
    );
  });

  it('says values with their units', () => {
    expect(factText('attempts', 1, null, '')).toBe('1 attempt');
    expect(factText('tokens', 118420, null, '')).toBe('118,420 tokens');
    expect(factText('status', null, 'skipped', '')).toBe('skipped');
    expect(factText('completed_at', Date.UTC(2026, 0, 2, 17, 5), null, '-07:00')).toBe('10:05:00');
    expect(factText('cost_usd', 0.2969, null, '')).toBe('$0.2969');
    expect(listText(['a', 'b', 'c'])).toBe('a, b and c');
  });

  it('has a sentence for every rule', () => {
    for (const rule of RULES) expect(rule.sentence).toMatch(/^[A-Z].+\.$/);
    expect(new Set(RULES.map((rule) => rule.id)).size).toBe(RULES.length);
  });
});
