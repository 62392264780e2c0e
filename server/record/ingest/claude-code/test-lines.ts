/** Lines of small transcripts, for tests. */
export const S1 = '11111111-1111-4111-8111-111111111111';
export const S2 = '22222222-2222-4222-8222-222222222222';

type Members = Record<string, unknown>;

/** One line; its id follows from its clock unless it is given. */
export const line = (type: string, clock: string, more: Members = {}): Members => ({
  type,
  uuid: `u-${clock}`,
  sessionId: S1,
  timestamp: `2026-05-04T${clock}Z`,
  cwd: '/srv/lamp',
  gitBranch: 'main',
  version: '2.1.220',
  isSidechain: false,
  ...more,
});

/** Tokens of a message; what is not given is a plain call. */
export const usage = (output: number, more: Members = {}): Members => ({
  input_tokens: 4,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 1_000,
  output_tokens: output,
  ...more,
});

/** A row of a message of the model. */
export const said = (
  clock: string,
  id: string,
  used: Members,
  content: unknown[],
  more: Members = {},
): Members =>
  line('assistant', clock, {
    requestId: `req-${id}`,
    message: { id, role: 'assistant', model: 'claude-opus-5', content, usage: used },
    ...more,
  });

export const text = (words: string): Members => ({ type: 'text', text: words });
export const use = (id: string, name: string, input: Members): Members => ({
  type: 'tool_use',
  id,
  name,
  input,
});

/** What came back from a call. */
export const back = (
  clock: string,
  id: string,
  content: string,
  more: Members = {},
  failed = false,
): Members =>
  line('user', clock, {
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, ...(failed ? { is_error: true } : {}) }],
    },
    ...more,
  });

export const prompt = (clock: string, words: string, more: Members = {}): Members =>
  line('user', clock, { message: { role: 'user', content: words }, ...more });

export const hook = (clock: string, type: string, more: Members = {}, around: Members = {}): Members =>
  line('attachment', clock, {
    attachment: {
      type,
      hookName: 'Stop',
      hookEvent: 'Stop',
      toolUseID: `stop-${clock}`,
      command: './gate.sh',
      ...more,
    },
    ...around,
  });

/** A file of such lines. */
export const file = (...lines: readonly (Members | string)[]): string =>
  lines.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
