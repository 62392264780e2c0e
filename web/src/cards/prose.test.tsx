// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Inlines } from './prose.tsx';

afterEach(cleanup);

it('words that open evidence are a link that wraps, and open it in place', () => {
  const open = vi.fn();
  render(
    <Inlines
      inlines={[
        { kind: 'text', text: 'The longest is ' },
        { kind: 'label', text: 'a name that is long enough to go over two lines', evidence: 'q:1' },
        { kind: 'text', text: '.' },
      ]}
      chrome={{ openFigure: open }}
    />,
  );
  const link = screen.getByRole('link');
  expect(link.getAttribute('href')).toBe('#figure=q:1');
  expect(fireEvent.click(link)).toBe(false);
  expect(open).toHaveBeenCalledWith('q:1', 'a name that is long enough to go over two lines');
  expect(document.activeElement).toBe(link);
});

it('a disputed figure and its mark stay on one line', () => {
  const figure = {
    value: 2,
    unit: 'attempts' as const,
    basis: 'claimed' as const,
    evidence: 'q:2',
    disputed: true,
    n: null,
    missing: null,
  };
  const { container } = render(
    <Inlines inlines={[{ kind: 'figure', figure }]} chrome={{ openFigure: () => undefined }} />,
  );
  expect(container.querySelector('.nw > .fig + .fig-d')).not.toBeNull();
});
