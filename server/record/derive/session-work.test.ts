import { describe, expect, it } from 'vitest';
import { at, call, calls, commit, project, prompt, record, session } from './test-money.ts';

const LAMPS = project(
  ['F-001', 'Lamp with a dimmer'],
  ['F-002', 'Stairs to the tower'],
  ['3', 'Bell that rings'],
);
/** A call at a time, named by it. */
const turn = (clock: string, more = {}) =>
  call({ message_id: clock, out_total: 10, started_at_ms: at(clock), ended_at_ms: at(clock) + 900, ...more });
const gitCall = (clock: string, sha: string, more = {}) => ({
  tool_call_id: `toolu_${clock}`,
  session_id: 's1',
  name: 'Bash',
  kind: 'shell',
  started_at_ms: at(clock),
  ended_at_ms: at(clock) + 500,
  commit_sha: sha,
  source_id: 'one',
  source_kind: 'claude_session',
  ...more,
});
const WORK = `SELECT left(request_id, 8) AS at, feature_id, link_method, left(commit_sha, 7) AS sha, commit_method FROM llm_requests ORDER BY started_at_ms`;
const S1 = { sessions_told: [session('s1')] };
const feature = (id: string) => `r.f${id}`;

describe('a call belongs to a feature', () => {
  it('that its source names, before all else', async () => {
    const ask = await record(LAMPS, S1, calls(turn('10:00:10', { feature_id: 'r.fF-002' })), {
      log_events: [prompt('10:00:00', 'Implement F-001')],
    });
    expect(await ask(WORK)).toMatchObject([{ feature_id: 'r.fF-002', link_method: 'explicit' }]);
  });

  it('that the ledger entry settled by its commit names, before what the commit says', async () => {
    const ask = await record(
      LAMPS,
      S1,
      calls(turn('10:00:10')),
      { tool_calls_told: [gitCall('10:00:20', 'aaaaaaa')] },
      { commits_told: [commit('aaaaaaa', '10:00:20', { feature_ref: 'F-002', link_method: 'subject' })] },
      {
        ledger_flips: [
          {
            flip_id: 'f',
            feature_ref: 'F-001',
            field: 'passes',
            from_value: 'false',
            to_value: 'true',
            commit_sha: commit('aaaaaaa', '10:00:20').sha ?? null,
            at_ms: at('10:00:20'),
            ledger_path: 'prd.json',
            source_id: 'ledger',
          },
        ],
      },
    );
    expect(await ask(WORK)).toEqual([
      {
        at: '10:00:10',
        feature_id: feature('F-001'),
        link_method: 'ledger',
        sha: 'aaaaaaa',
        commit_method: 'own_call',
      },
    ]);
  });

  it('that the next commit names, each stretch its own; what follows the last commit of several is nobody’s', async () => {
    const ask = await record(
      LAMPS,
      S1,
      calls(...['10:00:10', '10:00:30', '10:01:10', '10:02:00'].map((clock) => turn(clock))),
      { tool_calls_told: [gitCall('10:00:40', 'aaaaaaa'), gitCall('10:01:30', 'bbbbbbb')] },
      {
        commits_told: [
          commit('aaaaaaa', '10:00:40', { feature_ref: 'F-001', link_method: 'subject' }),
          commit('bbbbbbb', '10:01:30', { feature_ref: 'F-002', link_method: 'subject' }),
        ],
      },
    );
    expect((await ask(WORK)).map(({ at: clock, feature_id, sha }) => [clock, feature_id, sha])).toEqual([
      ['10:00:10', 'r.fF-001', 'aaaaaaa'],
      ['10:00:30', 'r.fF-001', 'aaaaaaa'],
      ['10:01:10', 'r.fF-002', 'bbbbbbb'],
      ['10:02:00', null, null],
    ]);
  });

  it('that is the session’s only one, after its last commit too', async () => {
    const ask = await record(
      LAMPS,
      S1,
      calls(turn('10:00:10'), turn('10:02:00')),
      { tool_calls_told: [gitCall('10:00:40', 'aaaaaaa')] },
      { commits_told: [commit('aaaaaaa', '10:00:40', { feature_ref: 'F-001', link_method: 'subject' })] },
    );
    expect((await ask(WORK)).map(({ feature_id, sha }) => [feature_id, sha])).toEqual([
      ['r.fF-001', 'aaaaaaa'],
      ['r.fF-001', null],
    ]);
  });

  it('that its prompt names, by id, by number or by title; a prompt that names two names none', async () => {
    const prompts = [
      prompt('10:00:00', 'Please implement f_001 now'),
      prompt('10:01:00', 'Go on with the stairs to the tower'),
      prompt('10:02:00', 'Then story #3, and be quick'),
      prompt('10:03:00', 'Compare F-001 with F-002'),
      prompt('10:04:00', 'Wait 3 minutes'),
    ];
    const ask = await record(
      LAMPS,
      S1,
      calls(
        ...['09:59:00', '10:00:00', '10:01:10', '10:02:10', '10:03:10', '10:04:10'].map((clock) =>
          turn(clock),
        ),
      ),
      { log_events: prompts },
    );
    expect((await ask(WORK)).map(({ feature_id, link_method }) => [feature_id, link_method])).toEqual([
      [null, null],
      ['r.fF-001', 'prompt'],
      ['r.fF-002', 'prompt'],
      ['r.f3', 'prompt'],
      ['r.f3', 'prompt'],
      ['r.f3', 'prompt'],
    ]);
  });

  it('of its prompt, where a later prompt turned to another before the next commit', async () => {
    const ask = await record(
      LAMPS,
      S1,
      calls(turn('10:00:10'), turn('10:01:10')),
      {
        log_events: [
          prompt('10:00:00', 'Implement F-001'),
          prompt('10:01:00', 'Leave that. Implement F-002'),
        ],
      },
      { tool_calls_told: [gitCall('10:01:30', 'bbbbbbb')] },
      { commits_told: [commit('bbbbbbb', '10:01:30', { feature_ref: 'F-002', link_method: 'subject' })] },
    );
    expect((await ask(WORK)).map(({ feature_id, link_method }) => [feature_id, link_method])).toEqual([
      ['r.fF-001', 'prompt'],
      ['r.fF-002', 'commit'],
    ]);
  });

  it('of the one attempt under way, and of none where two features were tried at once', async () => {
    const attempt = (id: string, n: number, from: string, to: string) => ({
      attempt_id: `${id}.${n}`,
      run_id: 'r',
      feature_id: feature(id),
      n,
      started_at_ms: at(from),
      ended_at_ms: at(to),
      attribution: 'unknown',
      basis: 'measured',
      source_id: 'ledger',
      source_kind: 'metrics',
    });
    const ask = await record(
      LAMPS,
      S1,
      calls(...['09:59:59', '10:00:00', '10:01:30', '10:02:30', '10:03:30'].map((clock) => turn(clock))),
      {
        attempts: [
          attempt('F-001', 1, '10:00:00', '10:01:00'),
          attempt('F-001', 2, '10:01:00', '10:03:00'),
          { ...attempt('F-001', 2, '10:01:00', '10:03:00'), attempt_id: 'told again' },
          attempt('F-002', 1, '10:02:00', '10:03:00'),
        ],
      },
    );
    expect(
      await ask('SELECT feature_id, attempt_n, link_method FROM llm_requests ORDER BY started_at_ms'),
    ).toEqual([
      { feature_id: null, attempt_n: null, link_method: null },
      { feature_id: 'r.fF-001', attempt_n: 1, link_method: 'time_window' },
      { feature_id: 'r.fF-001', attempt_n: 2, link_method: 'time_window' },
      { feature_id: null, attempt_n: null, link_method: null },
      { feature_id: null, attempt_n: null, link_method: null },
    ]);
  });

  it('of the session above a subagent, unless the subagent has a prompt of its own', async () => {
    const agent = (id: string, clock: string) =>
      turn(clock, { session_id: `s1/agent-${id}`, is_sidechain: true, source_id: id });
    const ask = await record(
      LAMPS,
      {
        sessions_told: [
          session('s1'),
          session('s1/agent-a', { parent_session_id: 's1', is_subagent: true }),
          session('s1/agent-b', { parent_session_id: 's1', is_subagent: true }),
        ],
      },
      calls(turn('10:00:10'), agent('a', '10:00:20'), agent('b', '10:00:30')),
      {
        log_events: [
          prompt('10:00:00', 'Implement F-001'),
          prompt('10:00:25', 'Look at F-002', { session_id: 's1/agent-b' }),
        ],
      },
    );
    expect((await ask(WORK)).map(({ feature_id }) => feature_id)).toEqual([
      'r.fF-001',
      'r.fF-001',
      'r.fF-002',
    ]);
  });

  it('of the run whose time holds the prompt, where two runs number their stories alike', async () => {
    const ask = await record(
      { projects: LAMPS.projects },
      {
        runs_told: [
          {
            run_id: 'a',
            harness: 'h',
            started_at_ms: at('08:00:00'),
            ended_at_ms: at('09:00:00'),
            rank: 0,
            source_id: 'l',
          },
          {
            run_id: 'b',
            harness: 'h',
            started_at_ms: at('10:00:00'),
            ended_at_ms: at('11:00:00'),
            rank: 0,
            source_id: 'l',
          },
        ],
        features_told: ['a', 'b'].map((run) => ({
          feature_id: `${run}.fF-001`,
          run_id: run,
          ext_id: 'F-001',
          rank: 0,
          source_id: 'l',
        })),
      },
      S1,
      calls(turn('08:30:10'), turn('09:30:00', { session_id: 's2' }), turn('10:30:10', { session_id: 's3' })),
      { log_events: [prompt('08:30:00', 'Do F-001'), prompt('10:30:00', 'Do F-001', { session_id: 's3' })] },
    );
    expect(await ask('SELECT run_id, feature_id FROM llm_requests ORDER BY started_at_ms')).toEqual([
      { run_id: 'a', feature_id: 'a.fF-001' },
      { run_id: null, feature_id: null },
      { run_id: 'b', feature_id: 'b.fF-001' },
    ]);
  });
});

describe('a commit belongs to the session', () => {
  const HOW = 'SELECT session_id, left(sha, 7) AS sha, how FROM session_commits ORDER BY at_ms';

  it('that was alone at work in the folder then, or had just ended', async () => {
    const ask = await record(
      LAMPS,
      { sessions_told: [session('s1'), session('elsewhere', { cwd: '/other' })] },
      calls(
        turn('10:00:00'),
        turn('10:05:00'),
        turn('10:00:30', { session_id: 'elsewhere' }),
        turn('12:00:00', { session_id: 'elsewhere' }),
      ),
      {
        commits_told: [
          commit('aaaaaaa', '10:02:00'),
          commit('bbbbbbb', '10:14:00'),
          commit('ccccccc', '10:16:00'),
          commit('ddddddd', '09:00:00'),
        ],
      },
    );
    expect(await ask(HOW)).toEqual([
      { session_id: 's1', sha: 'aaaaaaa', how: 'time_and_folder' },
      { session_id: 's1', sha: 'bbbbbbb', how: 'time_and_folder' },
    ]);
  });

  it('that made it by its own call, and to none of two that were at work at once', async () => {
    const ask = await record(
      LAMPS,
      { sessions_told: [session('s1'), session('s2')] },
      calls(
        ...['s1', 's2'].flatMap((session_id) => [
          turn('10:00:00', { session_id, message_id: `${session_id}a` }),
          turn('10:05:00', { session_id, message_id: `${session_id}b` }),
        ]),
      ),
      { tool_calls_told: [gitCall('10:02:00', 'AAAAAAA', { session_id: 's2' })] },
      { commits_told: [commit('aaaaaaa', '10:02:00'), commit('bbbbbbb', '10:03:00')] },
    );
    expect(await ask(HOW)).toEqual([{ session_id: 's2', sha: 'aaaaaaa', how: 'own_call' }]);
  });

  it('and not to one whose first rows are copies from before', async () => {
    const copied = {
      message_id: 'm',
      out_total: 10,
      started_at_ms: at('10:00:00'),
      ended_at_ms: at('10:00:05'),
    };
    const ask = await record(
      LAMPS,
      { sessions_told: [session('s1'), session('later', { source_id: 'two' })] },
      calls(
        call(copied),
        turn('10:05:00'),
        call({ ...copied, session_id: 'later', source_id: 'two' }),
        turn('10:05:00', { session_id: 'later', source_id: 'two' }),
        turn('11:00:00', { session_id: 'later', source_id: 'two' }),
      ),
      { commits_told: [commit('aaaaaaa', '10:02:00')] },
    );
    expect(await ask(HOW)).toEqual([{ session_id: 's1', sha: 'aaaaaaa', how: 'time_and_folder' }]);
  });
});

describe('what became of the work', () => {
  it('is accepted, thrown away or open; without a feature it is unknown', async () => {
    const status = (id: string, text_value: string) => ({
      observation_id: id,
      run_id: 'r',
      feature_id: feature(id),
      fact: 'status',
      text_value,
      basis: 'measured',
      how: 'as written',
      source_id: 'ledger',
      source_kind: 'metrics',
    });
    const ask = await record(
      LAMPS,
      S1,
      calls(
        turn('10:00:10', { feature_id: feature('F-001') }),
        turn('10:00:20', { feature_id: feature('F-002') }),
        turn('10:00:30', { feature_id: feature('3') }),
        turn('10:00:40'),
        turn('11:00:00', { session_id: 's2', feature_id: feature('F-001') }),
      ),
      {
        observations_told: [
          status('F-001', 'accepted'),
          status('F-002', 'skipped'),
          status('3', 'in_progress'),
        ],
      },
      { tool_calls_told: [gitCall('11:00:10', 'aaaaaaa', { session_id: 's2' })] },
      {
        commits_told: [
          commit('aaaaaaa', '11:00:10'),
          commit('bbbbbbb', '13:00:00', {
            kind: 'revert',
            reverts_sha: commit('aaaaaaa', '10:00:00').sha ?? null,
          }),
        ],
      },
    );
    expect(
      (await ask('SELECT outcome FROM llm_requests ORDER BY started_at_ms')).map(({ outcome }) => outcome),
    ).toEqual(['accepted', 'thrown_away', 'open', null, 'thrown_away']);
  });
});

describe('a tool call', () => {
  it('is tied as the model calls around it are', async () => {
    const tool = (clock: string, more = {}) => ({ ...gitCall(clock, ''), commit_sha: null, ...more });
    const ask = await record(
      LAMPS,
      S1,
      calls(turn('10:00:00')),
      { log_events: [prompt('10:00:00', 'Implement F-001')] },
      {
        tool_calls_told: [
          tool('10:00:10'),
          tool('10:00:20', { feature_id: feature('F-002') }),
          tool('10:00:30', { session_id: 's2' }),
        ],
      },
    );
    expect(
      await ask('SELECT feature_id, link_method, run_id FROM tool_calls ORDER BY started_at_ms'),
    ).toEqual([
      { feature_id: 'r.fF-001', link_method: 'prompt', run_id: 'r' },
      { feature_id: 'r.fF-002', link_method: 'explicit', run_id: 'r' },
      { feature_id: null, link_method: null, run_id: 'r' },
    ]);
  });
});
