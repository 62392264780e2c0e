import type { CSSProperties, ReactNode } from 'react';
import type { Attempt } from '../../../../shared/cards.ts';
import type { CardChrome } from '../../a2ui/types.ts';
import { FigureText } from '../figure.tsx';
import { keyed } from '../keyed.ts';
import { Shape } from '../shape.tsx';
import { columnsOf, type StoryLayout } from './layout.ts';

interface FeedbackProps {
  told: StoryLayout;
  card: CardChrome;
}

/** What was said to each attempt: in a column under its step where that is wide enough, else as a list. */
export function Feedback({ told, card }: FeedbackProps): ReactNode {
  const { steps, columns } = told;
  const style: CSSProperties = columns
    ? {
        '--columns': columnsOf(steps.map((step) => step.width)),
        '--wide': `${(steps.reduce((sum, step) => sum + step.width, 0) * 100).toFixed(3)}%`,
      }
    : {};
  return (
    <ol className={columns ? 'fb cols' : 'fb'} style={style}>
      {keyed(steps, (step) => String(step.attempt.n)).map(({ key, item }) => (
        <li key={key}>
          <AttemptWords attempt={item.attempt} verdict={!told.scored} card={card} />
        </li>
      ))}
    </ol>
  );
}

const CAUSES = {
  agent: 'agent',
  verifier: 'verifier',
  infra: 'infrastructure',
  provider: 'model provider',
  spec: 'specification',
} as const;

interface AttemptWordsProps {
  attempt: Attempt;
  /** Whether it is said here how it ended, because no plot says it. */
  verdict: boolean;
  card: CardChrome;
}

function AttemptWords({ attempt, verdict, card }: AttemptWordsProps): ReactNode {
  const { n, duration, feedback, findings, attribution, passed } = attempt;
  return (
    <>
      <b>
        Attempt {n},{' '}
        {duration.value === null ? (
          <span className="none">no time recorded</span>
        ) : (
          <FigureText
            figure={duration}
            onOpen={card.openFigure}
            label={`Build time of attempt ${n}`}
            marks={false}
          />
        )}
      </b>
      {verdict && passed !== null ? <span className="said">{passed ? 'passes' : 'fails'}</span> : null}
      {feedback === null ? null : <span className="said">{feedback}</span>}
      {passed === false && attribution !== 'unknown' ? (
        <span className="said">recorded cause: {CAUSES[attribution]}</span>
      ) : null}
      {keyed(findings).map(({ key, item }) => (
        <span key={key} className="audit">
          <Shape name="diamond" />
          <span>Audit: {sentenceStart(item)}</span>
        </span>
      ))}
    </>
  );
}

/** A sentence that goes on after a colon starts small, unless its first word is a name or a number. */
const sentenceStart = (text: string): string =>
  /^(?:A|An|The|This|It)\b/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
