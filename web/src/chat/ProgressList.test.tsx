// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ProgressList } from './ProgressList.tsx';

afterEach(cleanup);

const steps = [
  { step: 'premise' as const, says: 'Premise checked', done: true, ms: 4, n: null, of: null },
  { step: 'plan' as const, says: 'Planning the answer', done: false, ms: null, n: null, of: null },
];

it('ends every step with the answer: one that was not finished says so', () => {
  const { container, rerender } = render(<ProgressList progress={steps} live />);
  expect(container.querySelectorAll('[stroke-dasharray]')).toHaveLength(2);
  expect(screen.queryByText('not finished')).toBeNull();
  rerender(<ProgressList progress={steps} live={false} />);
  expect(container.querySelectorAll('[stroke-dasharray]')).toHaveLength(0);
  expect(screen.getAllByText('not finished')).toHaveLength(1);
});
