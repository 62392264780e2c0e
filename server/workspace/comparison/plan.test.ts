import { describe, expect, it } from 'vitest';
import { validatePlan } from '../../answer/validate.ts';
import { measureById } from '../../metrics/measures.ts';
import { NO_COUNTS, type RecordProfile } from '../../record/store.ts';
import { whichProjects } from '../which.ts';
import { comparisonPlan } from './plan.ts';
import { joinedProfile } from './profile.ts';
import { QUESTIONS } from './questions.ts';

const PROJECTS = [
  { id: 'forge', name: 'Forge' },
  { id: 'loop', name: 'Loop' },
];
const profile = (more: Partial<RecordProfile> = {}): RecordProfile => ({
  project: 'x',
  run: null,
  counts: NO_COUNTS,
  features: [{ id: '1', title: 'Scaffold', description: '', category: 'core', status: 'accepted' }],
  categories: ['core'],
  statuses: ['accepted'],
  sources: [
    {
      id: 'log',
      kind: 'progress_log',
      label: 'log',
      basis: 'measured',
      facts: 3,
      disputed: false,
      issues: 1,
    },
  ],
  findings: 2,
  issues: 1,
  fingerprint: 'f',
  ...more,
});
const both = (...counts: Partial<RecordProfile['counts']>[]): RecordProfile =>
  joinedProfile(
    counts.map((own) => profile({ counts: { ...NO_COUNTS, ...own } })),
    'joined',
  );
const plan = (question: string, joined = both({}, {})) => comparisonPlan(question, PROJECTS, joined);

describe('the plan of a comparison', () => {
  it('sets everything side by side when nothing in particular is asked', () => {
    const { blocks, explanation } = plan('compare the projects');
    expect(blocks.map(({ type, title }) => [type, title])).toEqual([
      ['project_table', 'Forge and Loop side by side'],
      ['chart', 'Accepted features by project'],
      ['chart', 'Attempts by project'],
      ['chart', 'Median build time by project'],
    ]);
    expect(explanation).toHaveLength(1);
  });

  it('adds what only some of the projects record', () => {
    const { blocks } = plan('compare the projects', both({}, { gate_events: 3 }));
    expect(blocks[1]).toMatchObject({
      type: 'project_table',
      title: 'Requirements, gates and tests side by side',
      columns: expect.arrayContaining(['gates', 'proven']),
    });
  });

  it('begins with what was asked for, and says who leads', () => {
    const { blocks, facts, explanation } = plan('which project took more attempts?');
    expect(blocks[0]).toMatchObject({ type: 'chart', by: 'project', measures: [{ measure: 'attempts' }] });
    expect(blocks.at(-1)?.type).toBe('project_table');
    expect(facts.map(({ kind, by }) => [kind, by])).toEqual([
      ['top_label', 'project'],
      ['top_value', 'project'],
    ]);
    expect(explanation[0]?.says).toBe('{which} has the most attempts: {figure}.');
    expect(plan('which project was the fastest?').explanation[0]?.says).toBe(
      '{which} has the shortest median build time: {figure}.',
    );
  });

  it('is one that passes every check, and asks every record by project', () => {
    for (const question of [
      ...Object.values(QUESTIONS),
      'Forge vs Loop',
      'compare the scores of the projects',
      '',
    ]) {
      const made = plan(question, both({ requirements: 1 }, { commits: 2 }));
      expect(validatePlan(made, { profile: both({}, {}), question, evidence: [] })).toEqual([]);
      for (const block of made.blocks) if (block.type === 'chart') expect(block.by).toBe('project');
      for (const { by } of made.facts) expect(by).toBe('project');
      for (const { measure } of made.facts) expect(measureById(measure)).toBeDefined();
    }
  });

  it('leads on to questions that are comparisons again', () => {
    const projects = PROJECTS.map(({ id, name }) => ({ id, called: [name, id] }));
    const [first] = projects;
    if (first === undefined) throw new Error('no project');
    for (const question of Object.values(QUESTIONS))
      expect(whichProjects(question, projects, first)).toEqual(['forge', 'loop']);
  });
});

it('the joined profile counts what all of them hold, and keeps their sources apart', () => {
  const joined = both({ commits: 1 }, { commits: 2 });
  expect(joined).toMatchObject({
    project: '2 projects',
    findings: 4,
    issues: 2,
    categories: ['core'],
    run: null,
  });
  expect(joined.counts.commits).toBe(3);
  expect(new Set(joined.sources.map(({ id }) => id)).size).toBe(2);
});
