import { describe, expect, it } from 'vitest';
import { type Answer, createAnswers } from './answers.ts';
import { type Asking, createAsking } from './asking.ts';
import { createConversations } from './conversation.ts';
import { oneDesk } from './desks.ts';
import type { AnswerPorts } from './ports.ts';
import { planText, ports, type World, world, writing } from './test-ports.ts';
import type { Turn } from './types.ts';

function asking(about: World, change: (ports: AnswerPorts) => AnswerPorts = (same) => same) {
  const seen: (readonly Turn[])[] = [];
  const from = writing(planText(['a']));
  const steps = change(ports(about));
  const made: Asking = createAsking({
    desks: oneDesk({
      projects: [{ id: 'demo', name: 'Demo' }],
      ports: steps,
      planner: {
        ...from,
        plan: (request) => {
          seen.push([...request.turns]);
          return from.plan(request);
        },
      },
      keeping: null,
      starting: { planner: writing(planText(['a', 'b'])), title: async () => 'All is well.' },
    }),
    answers: createAnswers(),
    conversations: createConversations(),
    log: steps.log,
  });
  return { made, seen };
}

const about = (): World => {
  const given = world();
  given.values.set('a', 1).set('b', 2);
  return given;
};

async function framesOf(answer: Answer): Promise<string[]> {
  await answer.finished;
  return [...answer.frames];
}

describe('asking', () => {
  it('remembers a conversation, and keeps it from others', async () => {
    const { made, seen } = asking(about());
    await made.ask('first?', { conversation: 'x' }).finished;
    await made.ask('second?', { conversation: 'x' }).finished;
    await made.ask('elsewhere?', { conversation: 'y' }).finished;
    await made.ask('nowhere?').finished;
    expect(seen.map((turns) => turns.map(({ question }) => question))).toEqual([[], ['first?'], [], []]);
  });

  it('begins the starting view with its heading', async () => {
    const frames = await framesOf(asking(about()).made.start());
    expect(frames[0]).toContain('"title":"All is well."');
    // Two of the plan, and the contradictions of the record.
    expect(frames.at(-1)).toContain('"cards":3');
  });

  it('says of a project that is not loaded that it is not, and to whom an answer belongs', async () => {
    const { made } = asking(about());
    for (const answer of [made.ask('why?', { project: 'elsewhere' }), made.start('elsewhere')]) {
      const frames = await framesOf(answer);
      expect(frames[0]).toContain('"projects":[]');
      expect(frames.join('')).toContain('"code":"project_gone"');
      expect(frames.at(-1)).toContain('"cards":1,"ok":false,"code":"project_gone"');
    }
    const frames = await framesOf(made.ask('why?', { project: 'demo' }));
    expect(frames[0]).toContain('"projects":[{"id":"demo","name":"Demo"}]');
  });

  it('ends a broken answer with a card and done', async () => {
    let times = 0;
    const { made } = asking(about(), (given) => ({
      ...given,
      surface: (id) => {
        times += 1;
        if (times === 1) throw new Error('defect');
        return given.surface(id);
      },
    }));
    const frames = await framesOf(made.ask('why?'));
    expect(frames[0]).toContain('event: open');
    expect(frames.join('')).toContain('"code":"query_failed"');
    expect(frames.at(-1)).toContain('event: done');
    expect(frames.join('')).not.toContain('defect');
  });

  it('ends even when nothing works, and leaves cards that are there', async () => {
    const nothing = asking(about(), (given) => ({
      ...given,
      surface: () => {
        throw new Error('defect');
      },
    }));
    const frames = await framesOf(nothing.made.ask('why?'));
    expect(frames).toHaveLength(2);
    expect(frames.at(-1)).toContain('"cards":0,"ok":false,"code":"query_failed"');

    const late = asking(about(), (given) => ({
      ...given,
      suggestions: () => {
        throw new Error('defect');
      },
      reader: (...args) => ({ ...given.reader(...args), followUps: () => [] }),
    }));
    const kept = await framesOf(late.made.ask('why?'));
    expect(kept.filter((frame) => frame.includes('createSurface'))).toHaveLength(1);
    expect(kept.join('')).toContain('StatCard');
    expect(kept.at(-1)).toContain('"code":"query_failed"');
  });
});
