import { describe, expect, it } from 'vitest';
import { answer, startOpenAiServer } from '../../test/openai-server/index.ts';
import { choosePlanner, DEFAULT_MODEL } from './choose.ts';
import { testProfile } from './test-profile.ts';

const nothing = { apiKey: null, baseURL: null, model: null, effort: null };

describe('choosePlanner', () => {
  it('is the built-in one without a key and without an address', () => {
    for (const config of [nothing, { ...nothing, apiKey: '', baseURL: '  ', model: 'some-model' }]) {
      expect(choosePlanner(config)).toMatchObject({ kind: 'builtin', model: null });
    }
  });

  it('is the model with either', () => {
    expect(choosePlanner({ ...nothing, apiKey: 'sk-x' })).toMatchObject({
      kind: 'model',
      model: DEFAULT_MODEL,
    });
    expect(choosePlanner({ ...nothing, baseURL: 'http://127.0.0.1:9/v1', model: 'local' })).toMatchObject({
      kind: 'model',
      name: 'local',
      model: 'local',
    });
  });

  it('asks the address that is set, with the model and effort that are set', async () => {
    const server = await startOpenAiServer(answer('{"a":1}'));
    const planner = choosePlanner({
      apiKey: null,
      baseURL: server.baseURL,
      model: 'local',
      effort: 'medium',
    });
    const signal = new AbortController().signal;
    let text = '';
    for await (const piece of planner.plan({
      question: 'how did it go?',
      turns: [],
      profile: testProfile,
      evidence: [],
      premises: [],
      signal,
    })) {
      text += piece;
    }
    expect(text).toBe('{"a":1}');
    expect(server.requests[0]?.body).toMatchObject({ model: 'local', reasoning_effort: 'medium' });
    await server.close();
  });
});
