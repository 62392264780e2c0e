import { describe, expect, it, vi } from 'vitest';
import { paletteGroups } from './palette-groups.ts';
import { initialState } from './state.ts';

const boards = { boards: [{ id: 'b1', name: 'Morning', items: [] }] };

describe('the palette', () => {
  it('leads to answers, boards, projects and settings', () => {
    const session = { open: vi.fn(), openBoard: vi.fn(), choose: vi.fn() };
    const help = vi.fn();
    const state = {
      ...initialState,
      earlier: [{ id: 'a1', question: 'How did the run go?', at: 0, paragraphs: [] }],
    };
    const groups = paletteGroups(state, { kept: true, notice: null, ...boards }, session, {
      help,
      newBoard: null,
    });
    const run = (group: string, label: string): void =>
      groups
        .find(({ name }) => name === group)
        ?.items.find((item) => item.label === label)
        ?.run();
    run('Answers', 'How did the run go?');
    expect(session.open).toHaveBeenLastCalledWith('a1');
    run('Boards', 'Morning');
    expect(session.openBoard).toHaveBeenCalledWith('b1');
    run('Page', 'Start');
    expect(session.open).toHaveBeenLastCalledWith(null);
    run('Page', 'What can I ask?');
    expect(help).toHaveBeenCalledOnce();
    // With one project there is nothing to choose.
    expect(groups.find(({ name }) => name === 'Projects')?.items).toEqual([]);
  });
});
