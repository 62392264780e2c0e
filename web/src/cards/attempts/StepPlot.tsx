import { Fragment, type ReactNode, useId } from 'react';
import type { CardChrome } from '../../a2ui/types.ts';
import { FigureText } from '../figure.tsx';
import { HatchPattern } from '../hatch.tsx';
import { keyed } from '../keyed.ts';
import { Shape } from '../shape.tsx';
import { type AttemptsLayout, BASE, HEIGHT, type Step, type StoryLayout } from './layout.ts';
import { Teller } from './Teller.tsx';

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

interface StepPlotProps {
  layout: AttemptsLayout;
  told: StoryLayout;
  card: CardChrome;
}

/** The steps of the story: width is time, height is score; hatched when it is only claimed. */
export function StepPlot({ layout, told, card }: StepPlotProps): ReactNode {
  const hatch = useId();
  const steps = keyed(told.steps, (step) => String(step.attempt.n));
  const { threshold } = layout;
  return (
    <div className={layout.titleHigh ? 'plot high' : 'plot'}>
      <div className="y-title ax">score, of {layout.scores.at(-1)?.text}</div>
      <svg width="100%" height={HEIGHT} role="img" aria-label={layout.says}>
        <defs>
          <HatchPattern id={hatch} />
        </defs>
        {layout.scores.slice(2).map((tick) => (
          <line key={tick.text} className="gl" x1="0" x2="100%" y1={tick.y} y2={tick.y} />
        ))}
        {layout.scores.map((tick) => (
          <text key={tick.text} className="ax" x="-10" y={tick.y + 4} textAnchor="end">
            {tick.text}
          </text>
        ))}
        {steps.map(({ key, item }, index) => (
          <StepShape
            key={key}
            step={item}
            last={index === steps.length - 1}
            timed={told.timed}
            claim={told.story.claim}
            hatch={hatch}
          />
        ))}
        {threshold === null ? null : (
          <>
            <line className="th-halo" x1="0" x2="100%" y1={threshold.y} y2={threshold.y} />
            <line className="th" x1="0" x2="100%" y1={threshold.y} y2={threshold.y} />
          </>
        )}
        <line className="bl" x1="0" x2="100%" y1={BASE} y2={BASE} />
      </svg>
      {threshold === null ? null : (
        <div
          className={threshold.x === null ? 'thr thr-end lab' : 'thr lab'}
          style={{ top: threshold.y - 17, left: threshold.x === null ? undefined : percent(threshold.x) }}
          title={layout.thresholdWhy}
        >
          <span className="only-l">pass threshold </span>
          <span className="only-s">pass at </span>
          {threshold.text}
        </div>
      )}
      {steps.map(({ key, item }) => (
        <StepWords key={key} step={item} timed={told.timed} card={card} />
      ))}
      <Teller
        story={told.story}
        place={layout.roomAbove ? 'corner' : 'end'}
        width={layout.roomAbove ? percent(told.steps[0]?.width ?? 1) : undefined}
      />
    </div>
  );
}

interface StepShapeProps {
  step: Step;
  last: boolean;
  timed: boolean;
  claim: boolean;
  hatch: string;
}

/** Height of the strip that stands for an attempt without a score: none that could be taken for one. */
const UNSCORED = 4;

function StepShape({ step, last, timed, claim, hatch }: StepShapeProps): ReactNode {
  const stroke = claim ? 'var(--claim)' : 'var(--measured)';
  const x1 = percent(step.x);
  const x2 = percent(step.x + step.width);
  const top = step.top ?? BASE - UNSCORED;
  if (!timed) return <Pole step={step} stroke={stroke} />;
  if (!claim)
    return (
      <rect
        x={x1}
        y={top}
        width={percent(step.width)}
        height={BASE - top}
        className={isDerived(step) ? 'step-solid step-derived' : 'step-solid'}
      />
    );
  const box = { x: x1, y: top, width: percent(step.width), height: BASE - top };
  return (
    <Fragment>
      <rect {...box} fill="var(--claim-wash)" />
      <rect {...box} fill={`url(#${hatch})`} className="hx" />
      <line x1={x1} x2={x1} y1={BASE} y2={top} stroke={stroke} strokeWidth="1" />
      <line
        x1={x1}
        x2={x1}
        y1={Math.max(step.from, top)}
        y2={Math.min(step.from, top)}
        stroke={stroke}
        strokeWidth="2"
      />
      <line x1={x1} x2={x2} y1={top} y2={top} stroke={stroke} strokeWidth="2" strokeLinecap="square" />
      {last ? <line x1={x2} x2={x2} y1={top} y2={BASE} stroke={stroke} strokeWidth="2" /> : null}
    </Fragment>
  );
}

/** A step is only as sure as its time and its score: one that was worked out is not drawn as measured. */
const isDerived = ({ attempt }: Step): boolean =>
  [attempt.duration, attempt.score].some((figure) => figure.value !== null && figure.basis !== 'measured');

/** An attempt whose time nobody recorded: a line with a ring, never a guessed width. */
function Pole({ step, stroke }: { step: Step; stroke: string }): ReactNode {
  const x = percent(step.x + step.width / 2);
  const top = step.top ?? BASE;
  return (
    <>
      <line x1={x} x2={x} y1={BASE} y2={top} stroke={stroke} strokeWidth="2" />
      <circle cx={x} cy={top} r="4.5" fill="var(--surface)" stroke={stroke} strokeWidth="2" />
    </>
  );
}

interface StepWordsProps {
  step: Step;
  timed: boolean;
  card: CardChrome;
}

function StepWords({ step, timed, card }: StepWordsProps): ReactNode {
  const { attempt } = step;
  const left = timed ? step.x : step.x + step.width / 2;
  const width = timed ? step.width : step.width / 2;
  return (
    <div
      className="step-words"
      style={{ left: percent(left), width: percent(width), top: (step.top ?? BASE) - 19 }}
    >
      <span className="score">
        {attempt.score.value === null ? (
          <span className="lab" title={attempt.score.missing ?? undefined}>
            no score
          </span>
        ) : (
          <FigureText
            figure={attempt.score}
            onOpen={card.openFigure}
            label={`Score of attempt ${attempt.n}`}
            show="bare"
            marks={false}
          />
        )}
      </span>
      {attempt.passed === null ? null : (
        <span className="lab word">{attempt.passed ? 'passes' : 'fails'}</span>
      )}
      {attempt.findings.length === 0 ? null : <Shape name="diamond" />}
    </div>
  );
}
