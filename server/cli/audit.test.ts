import { describe, expect, it } from 'vitest';
import type { Row, Store } from '../record/store.ts';
import { oneProject } from '../workspace/one.ts';
import { type AuditedProject, auditJson, auditOf, auditText, fails, type PrintedFinding } from './audit.ts';

const finding = (more: Partial<PrintedFinding> = {}): PrintedFinding => ({
  id: 'f1',
  rule: 'totals_differ',
  sentence: 'A total is not the sum of its parts.',
  severity: 'warning',
  says: 'metrics.json gives 5, its features add up to 6',
  feature: null,
  rows: [
    { file: 'metrics.json', line: 3 },
    { file: 'git log', line: null },
  ],
  ...more,
});
const project = (name: string, findings: PrintedFinding[]): AuditedProject => ({ id: name, name, findings });

describe('an audit for a person', () => {
  it('names the rule, the finding and its lines, and counts by severity', () => {
    const text = auditText([
      project('demo', [
        finding(),
        finding({ id: 'f2', feature: '28', severity: 'error', says: 'two sources disagree', rows: [] }),
        finding({
          id: 'f3',
          rule: 'reading',
          sentence: 'A line cannot be read.',
          severity: 'info',
          rows: [],
        }),
      ]),
    ]);
    expect(text).toBe(
      [
        'totals_differ  A total is not the sum of its parts.',
        '  warning  metrics.json gives 5, its features add up to 6',
        '      metrics.json:3',
        '      git log',
        '  error  feature 28: two sources disagree',
        '',
        'reading  A line cannot be read.',
        '  info  metrics.json gives 5, its features add up to 6',
        '',
        '1 error, 1 warning, 1 note',
      ].join('\n'),
    );
  });

  it('says so when there is nothing, and keeps projects apart', () => {
    expect(auditText([project('demo', [])])).toBe('no findings');
    const text = auditText([project('one', []), project('two', [finding()])]);
    expect(text).toContain('one: no findings');
    expect(text).toContain('two: 1 warning');
  });

  it('cuts long lists of lines, and control characters', () => {
    const rows = Array.from({ length: 20 }, (_, n) => ({ file: 'a.log', line: n + 1 }));
    const text = auditText([project('demo', [finding({ rows, says: 'odd\u001b[31m' })])]);
    expect(text).toContain('a.log:12');
    expect(text).not.toContain('a.log:13');
    expect(text).toContain('and 8 more lines');
    expect(text).not.toContain('\u001b');
  });
});

describe('an audit for a program', () => {
  it('is one document that says its format', () => {
    expect(JSON.parse(auditJson([project('demo', [finding()])]))).toEqual({
      format: 'looplight-audit',
      version: 1,
      projects: [{ id: 'demo', name: 'demo', findings: [finding()] }],
    });
  });

  it('fails from the severity that was asked for on', () => {
    const info = [project('a', [finding({ severity: 'info' })])];
    const warning = [...info, project('b', [finding()])];
    const error = [project('c', [finding({ severity: 'error' })])];
    expect([info, warning, error].map((list) => fails(list, 'warning'))).toEqual([false, true, true]);
    expect([info, warning, error].map((list) => fails(list, 'error'))).toEqual([false, false, true]);
    expect(fails(error, null)).toBe(false);
    expect(fails([], 'warning')).toBe(false);
  });
});

it('findings come with every line they rest on', async () => {
  const answers: Row[][] = [
    [
      { finding_id: 'x', rule: 'totals_differ', severity: 'error', says: 'odd', feature: '3' },
      { finding_id: 'y', rule: 'unheard_of', severity: 'loud', says: 'odder', feature: null },
    ],
    [
      { finding_id: 'x', file: 'a.json', line: 1 },
      { finding_id: 'x', file: 'a.json', line: 2 },
    ],
  ];
  const store: Store = {
    query: async () => ({ rows: answers.shift() ?? [], truncated: false, ms: 0 }),
    connect: async () => store,
    fingerprint: async () => '',
    close: async () => undefined,
  };
  const [one] = oneProject({
    store,
    profile: async () => Promise.reject(new Error('not asked')),
    rawLines: async () => null,
    reload: async () => false,
    summary: async () => Promise.reject(new Error('not asked')),
    onChange: () => () => undefined,
    watch: () => undefined,
    close: async () => undefined,
  });
  const [audited] = await auditOf([one]);
  expect(audited?.findings).toMatchObject([
    {
      id: 'x',
      severity: 'error',
      feature: '3',
      sentence: expect.stringMatching(/\w/),
      rows: [
        { file: 'a.json', line: 1 },
        { file: 'a.json', line: 2 },
      ],
    },
    { id: 'y', severity: 'info', sentence: '', rows: [] },
  ]);
});
