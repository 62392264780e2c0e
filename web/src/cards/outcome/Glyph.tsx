import type { ReactNode } from 'react';
import type { Outcome, Stance } from './stance.ts';

/** Every outcome has a frame and a sign of its own, so that neither needs a colour. All in a box of 16. */
const FRAMES = {
  circle: <circle cx="8" cy="8" r="6.6" />,
  square: <rect x="1.6" y="1.6" width="12.8" height="12.8" />,
  triangle: <path d="M8 1.4l7 12.8H1z" />,
  hexagon: <path d="M4.6 1.6h6.8L15 8l-3.6 6.4H4.6L1 8z" />,
} as const;

interface Look {
  frame: keyof typeof FRAMES;
  /** How the frame is filled where nobody can be at fault. */
  tone: 'good' | 'plain' | 'fault' | 'dashed';
  sign: ReactNode;
}

const LOOKS: Readonly<Record<Outcome, Look>> = {
  pass: { frame: 'circle', tone: 'good', sign: <path d="M4.7 8.3l2.3 2.3 4.4-5" /> },
  block: { frame: 'square', tone: 'fault', sign: <path d="M5 5l6 6M11 5l-6 6" /> },
  error: { frame: 'triangle', tone: 'fault', sign: <path d="M8 6v3.6M8 11.2v1.5" /> },
  timeout: { frame: 'circle', tone: 'fault', sign: <path d="M8 4.2V8l2.6 1.8" /> },
  cancelled: { frame: 'circle', tone: 'fault', sign: <path d="M4.6 11.4l6.8-6.8" /> },
  no_verdict: { frame: 'circle', tone: 'fault', sign: <path d="M5 8h6" /> },
  impossible: { frame: 'hexagon', tone: 'fault', sign: <path d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2" /> },
  bypassed: {
    frame: 'square',
    tone: 'fault',
    sign: <path d="M4.6 4.8L7.8 8l-3.2 3.2M8.6 4.8L11.8 8l-3.2 3.2" />,
  },
  open: { frame: 'circle', tone: 'dashed', sign: null },
  info: { frame: 'circle', tone: 'plain', sign: null },
  warning: { frame: 'triangle', tone: 'plain', sign: <path d="M8 6v3.6M8 11.2v1.5" /> },
  bad: { frame: 'square', tone: 'fault', sign: <path d="M8 4.2v5M8 10.6v1.6" /> },
  unknown: { frame: 'square', tone: 'plain', sign: null },
};

interface GlyphProps {
  outcome: Outcome;
  /** Whose doing a failure was; left out where that is no question. */
  stance?: Stance;
  size?: number;
}

/** The shape of an outcome; the word beside it, or its accessible name, says the same. */
export function Glyph({ outcome, stance, size = 16 }: GlyphProps): ReactNode {
  const { frame, tone, sign } = LOOKS[outcome];
  const look = tone === 'fault' ? `o-${stance ?? 'own'}` : `o-${tone}`;
  return (
    <svg
      className={`glyph ${look}${outcome === 'info' ? ' small' : ''}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <g className="o-frame">{FRAMES[frame]}</g>
      {sign === null ? null : <g className="o-sign">{sign}</g>}
    </svg>
  );
}
