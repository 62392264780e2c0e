/** Lines of small rollouts, for tests. */
export interface Vector {
  input: number;
  cached?: number;
  output?: number;
  reasoning?: number;
}

const START = Date.UTC(2026, 7, 20, 10);

const vector = ({ input, cached = 0, output = 0, reasoning = 0 }: Vector) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: reasoning,
  total_tokens: input + output,
});

/** A rollout that is written line by line, a second apart from ten o'clock on unless a time is given. */
export class TestRollout {
  readonly #lines: string[] = [];
  #total: Required<Vector> = { input: 0, cached: 0, output: 0, reasoning: 0 };

  /** Any line. @param s seconds after ten o'clock */
  line(type: string, payload: unknown, s = this.#lines.length): this {
    const timestamp = new Date(START + s * 1_000).toISOString();
    this.#lines.push(JSON.stringify({ timestamp, type, payload }));
    return this;
  }
  /** A line as it stands. */
  raw(text: string): this {
    this.#lines.push(text);
    return this;
  }
  meta(id: string, more: object = {}): this {
    return this.line('session_meta', {
      id,
      timestamp: new Date(START).toISOString(),
      cwd: '/repo',
      originator: 'codex_cli_rs',
      cli_version: '0.145.0',
      source: 'cli',
      model_provider: 'openai',
      git: { commit_hash: 'abcdef0123', branch: 'main' },
      ...more,
    });
  }
  event(type: string, payload: object = {}, s?: number): this {
    return this.line('event_msg', { type, ...payload }, s);
  }
  item(type: string, payload: object = {}, s?: number): this {
    return this.line('response_item', { type, ...payload }, s);
  }
  /** The beginning of a turn. */
  turn(id: string, model: string | null = 'gpt-5.6'): this {
    return this.event('task_started', { turn_id: id }).line('turn_context', {
      turn_id: id,
      cwd: '/repo',
      effort: 'high',
      ...(model === null ? {} : { model }),
    });
  }
  /** A count of what was added, with the total so far. */
  tokens(last: Vector, s?: number): this {
    const { cached = 0, output = 0, reasoning = 0 } = last;
    const total = this.#total;
    this.#total = {
      input: total.input + last.input,
      cached: total.cached + cached,
      output: total.output + output,
      reasoning: total.reasoning + reasoning,
    };
    return this.count({ total: this.#total, last }, s);
  }
  /** A count with the vectors given. */
  count({ total, last }: { total?: Vector; last?: Vector }, s?: number): this {
    if (total !== undefined) this.#total = { cached: 0, output: 0, reasoning: 0, ...total };
    return this.event(
      'token_count',
      {
        info: {
          ...(total === undefined ? {} : { total_token_usage: vector(total) }),
          ...(last === undefined ? {} : { last_token_usage: vector(last) }),
          model_context_window: 272_000,
        },
      },
      s,
    );
  }
  call(id: string, name: string, input: unknown): this {
    return this.item('function_call', { call_id: id, name, arguments: JSON.stringify(input) });
  }
  output(id: string, output: unknown): this {
    return this.item('function_call_output', { call_id: id, output });
  }
  /** The lines so far, each with its line break. */
  text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }
}

export const rolloutOf = (id: string, more: object = {}): TestRollout => new TestRollout().meta(id, more);
