// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Earlier } from './Earlier.tsx';

afterEach(cleanup);

const items = [
  { id: 'A', question: 'first?', at: 1_000 },
  { id: 'B', question: 'second?', at: 2_000 },
];
const show = (more: Partial<Parameters<typeof Earlier>[0]> = {}) => {
  const all = vi.fn();
  render(
    <Earlier items={items} onOpen={() => undefined} onDelete={() => undefined} onDeleteAll={all} {...more} />,
  );
  return all;
};

describe('deleting every kept answer', () => {
  it('is asked for twice, and can be left', () => {
    const all = show();
    fireEvent.click(screen.getByRole('button', { name: 'Delete all kept answers' }));
    expect(all).not.toHaveBeenCalled();
    expect(screen.getByRole('group', { name: 'Delete all kept answers' }).textContent).toContain(
      'This cannot be undone',
    );
    expect(document.activeElement?.textContent).toBe('Keep them');
    fireEvent.click(screen.getByRole('button', { name: 'Keep them' }));
    expect(all).not.toHaveBeenCalled();
    expect(document.activeElement?.textContent).toBe('Delete all kept answers');

    fireEvent.click(screen.getByRole('button', { name: 'Delete all kept answers' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete all' }));
    expect(all).toHaveBeenCalledTimes(1);
  });

  it('is not offered where nothing is kept', () => {
    show({ onDelete: null });
    expect(screen.queryByRole('button', { name: 'Delete all kept answers' })).toBeNull();
  });
});
