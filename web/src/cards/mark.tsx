import type { ReactNode } from 'react';
import type { CardBase, Mark } from '../../../shared/cards.ts';
import { Shape, type ShapeName } from './shape.tsx';

interface Look {
  shape: ShapeName;
  word: string;
}

const LOOKS = {
  verified: { shape: 'check', word: 'verified' },
  corrected: { shape: 'check', word: 'corrected' },
  disputed: { shape: 'diamond', word: 'disputed' },
  claimed: { shape: 'ring', word: 'claimed only' },
  incomplete: { shape: 'half', word: 'incomplete' },
  unverified: { shape: 'bang', word: 'unverified' },
  checking: { shape: 'pending', word: 'checking' },
} as const satisfies Record<Exclude<Mark['state'], 'none'>, Look>;

const wordOf = (mark: Mark, look: Look): string =>
  mark.state === 'incomplete' && mark.have !== null && mark.of !== null
    ? `${mark.have} of ${mark.of}`
    : look.word;

/** How sure the page is of a card: a coloured shape, and the word that says the same without colour. */
export function MarkTag({ mark }: { mark: Mark }): ReactNode {
  if (mark.state === 'none') return null;
  const look = LOOKS[mark.state];
  return (
    <span className="mark" title={mark.why ?? undefined}>
      <Shape name={look.shape} />
      {wordOf(mark, look) === look.word ? null : <span className="vh">{look.word}: </span>}
      {wordOf(mark, look)}
      {mark.why === null ? null : <span className="vh">. {mark.why}</span>}
    </span>
  );
}

export function WaitingTag(): ReactNode {
  return (
    <span className="mark">
      <Shape name="pending" />
      waiting
    </span>
  );
}

type Segment = { kind: 'solid' | 'hatch' | 'empty' | 'dots' | 'going'; share: number };

/** How much of a card under check is drawn as done: only that it is under way is known. */
const UNDER_WAY = 0.6;

/** The parts of the rule on top of a card, left to right, adding up to one. */
export function ruleSegments(mark: Mark, rule: CardBase['rule']): Segment[] {
  switch (mark.state) {
    case 'disputed':
      return [
        { kind: 'solid', share: 0.5 },
        { kind: 'hatch', share: 0.5 },
      ];
    case 'claimed':
      return [{ kind: 'hatch', share: 1 }];
    case 'unverified':
      return [{ kind: 'dots', share: 1 }];
    case 'checking':
      return [
        { kind: 'going', share: UNDER_WAY },
        { kind: 'empty', share: 1 - UNDER_WAY },
      ];
    case 'incomplete': {
      if (mark.have === null || mark.of === null || mark.of <= 0) break;
      const share = Math.min(1, Math.max(0, mark.have / mark.of));
      return nonEmpty([
        { kind: 'solid', share },
        { kind: 'empty', share: 1 - share },
      ]);
    }
  }
  return nonEmpty([
    { kind: 'solid', share: rule.measured },
    { kind: 'hatch', share: rule.claimed },
    { kind: 'empty', share: rule.missing },
  ]);
}

const nonEmpty = (segments: Segment[]): Segment[] => segments.filter((segment) => segment.share > 0);

/** The rule on top of a card: solid for measured, hatched for claimed. */
export function Rule({ mark, rule }: { mark: Mark; rule: CardBase['rule'] }): ReactNode {
  return (
    <div className="rule" aria-hidden="true">
      {ruleSegments(mark, rule).map((segment) => (
        <i key={segment.kind} className={`r-${segment.kind}`} style={{ flexGrow: segment.share }} />
      ))}
    </div>
  );
}
