import type { Answer, AnswerSink, Answers } from './answers.ts';
import { codeCard } from './code-card.ts';
import type { Conversations } from './conversation.ts';
import { runAnswer } from './pipeline.ts';
import { END_ID } from './placing.ts';
import type { AnswerPorts, AnswerRequest } from './ports.ts';
import type { NamedPlanner } from './types.ts';

/** Begins answers: what the routes call. */
export interface Asking {
  /** @param conversation id under which turns are remembered, if there is one */
  ask(question: string, conversation: string | undefined): Answer;
  /** The starting view. */
  start(): Answer;
}

export interface AskingParts {
  ports: AnswerPorts;
  answers: Answers;
  conversations: Conversations;
  planner: NamedPlanner;
  /** Writes the plan of the starting view. */
  starting: { planner: NamedPlanner; title: NonNullable<AnswerRequest['title']> };
}

export function createAsking({ ports, answers, conversations, planner, starting }: AskingParts): Asking {
  /** A defect of our own ends in a card and `done` as well; what it was is in the log. */
  const broken =
    (question: string | null) =>
    (sink: AnswerSink, error: unknown): void => {
      ports.log.warn({ err: error, answer: sink.id }, 'an answer broke');
      const cards = sink.count() === 0 ? instead(question, sink) : 0;
      sink.emit({
        event: 'done',
        data: { events: sink.count() + 1, cards, ok: false, code: 'query_failed', ms: 0 },
      });
    };

  /** A whole small answer for one that never began; where one had begun, its cards stay as they are. */
  const instead = (question: string | null, sink: AnswerSink): number => {
    sink.emit({
      event: 'open',
      data: {
        answerId: sink.id,
        surfaceId: sink.id,
        question,
        planner: planner.name,
        stored: null,
        title: null,
      },
    });
    try {
      const surface = ports.surface(sink.id);
      for (const data of [...surface.open(), ...surface.final([codeCard(END_ID, 'query_failed')])])
        sink.emit({ event: 'a2ui', data });
      return 1;
    } catch (error) {
      ports.log.warn({ err: error, answer: sink.id }, 'the card for it broke as well');
      return 0;
    }
  };
  return {
    ask: (question, conversation) =>
      answers.start(
        (sink) =>
          runAnswer(
            {
              question,
              title: null,
              planner,
              turns: conversations.turns(conversation),
              remember: (turn) => conversations.add(conversation, turn),
            },
            ports,
            sink,
          ),
        broken(question),
      ),
    start: () =>
      answers.start(
        (sink) =>
          runAnswer(
            {
              question: null,
              title: starting.title,
              planner: starting.planner,
              turns: [],
              remember: () => {},
            },
            ports,
            sink,
          ),
        broken(null),
      ),
  };
}
