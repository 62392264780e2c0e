// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { CardBase } from '../../../shared/cards.ts';
import type { CardChrome } from '../a2ui/types.ts';
import { Changed, ChangeMenu } from './ChangeMenu.tsx';
import { base } from './read.ts';

const chrome = (change: CardChrome['change']): CardChrome => ({
  ask: vi.fn(),
  openEvidence: vi.fn(),
  openFigure: vi.fn(),
  busy: false,
  pin: null,
  change,
});
const model: CardBase = base({
  id: 'c0',
  title: 'Build time',
  controls: [
    {
      id: 'by',
      label: 'By',
      value: 'feature',
      options: [
        { value: 'feature', label: 'Feature' },
        { value: 'category', label: 'Category' },
      ],
    },
    { id: 'broken', label: 'No choice', value: 'x', options: [{ value: 'x', label: 'X' }] },
    'nonsense',
  ],
  changed: 'By: Feature, was Category',
});

it('changes one thing of the card, and takes everything back', () => {
  const change = vi.fn();
  render(
    <>
      <ChangeMenu model={model} card={chrome(change)} />
      <Changed model={model} card={chrome(change)} />
    </>,
  );
  fireEvent.change(screen.getByLabelText('By'), { target: { value: 'category' } });
  expect(change).toHaveBeenCalledWith('by', 'category');
  expect(screen.getByText('Changed here. By: Feature, was Category.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Put back' }));
  expect(change).toHaveBeenLastCalledWith(null, '');
  // What cannot be read, or chosen, is no control.
  expect(model.controls).toHaveLength(1);
});

it('offers nothing where nothing can be changed', () => {
  const { container } = render(<ChangeMenu model={model} card={chrome(null)} />);
  expect(container.textContent).toBe('');
});
