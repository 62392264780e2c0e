import { describe, expect, it, onTestFinished } from 'vitest';
import { Plan } from '../../shared/plan.ts';
import { openRecord } from '../record/index.ts';
import { testFolder } from '../record/test-folder.ts';
import { resolvePlan, said } from './builtin/test-answers.ts';
import { startPlan, startTitle } from './start.ts';

async function started(files: Record<string, string>) {
  const record = await openRecord({ root: await testFolder(files), database: ':memory:' });
  onTestFinished(() => record.close());
  const profile = await record.profile();
  const plan = Plan.parse(JSON.parse(startPlan(profile)));
  const { cards, chat } = await resolvePlan(record, plan, null, []);
  return { title: await startTitle(profile, record.store), cards, chat: said(chat), plan };
}

describe('the start of a record without features', { timeout: 60_000 }, () => {
  it('says that files were found and nothing usable in them, with what is wrong with them', async () => {
    const { title, cards, chat } = await started({ 'public/metrics.json': '{"project": "Cut o' });
    expect(title).toBe('Nothing usable was found');
    expect(chat).toContain('nothing in them could be read as the record of a run');
    expect(cards.map(({ type }) => type)).toEqual(['note', 'table']);
    const [note, table] = cards;
    expect(note?.type === 'note' && said(note.body)).toContain('Looked into: metrics.json.');
    expect(table).toMatchObject({ total: 1 });
    expect(JSON.stringify(table)).toContain('metrics.json');
  });

  it('shows what there is where only some kind of rows was read', async () => {
    const report =
      '<testsuite name="a"><testcase name="x" classname="y" time="1"/><testcase name="z" classname="y"><failure/></testcase></testsuite>';
    const { title, cards } = await started({ 'test-results/junit.xml': report });
    expect(title).toBe('No features in this record.');
    expect(cards[0]).toMatchObject({ type: 'stat', title: 'Tests' });
  });
});
