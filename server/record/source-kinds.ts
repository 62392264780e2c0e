import type { Basis } from '../../shared/cards.ts';

/** One kind of source: how people call it, and how far its word goes where nothing else is known. */
export interface KindOfSource {
  /** With an article, to stand in a sentence: "the progress log says 1". */
  words: string;
  basis: Basis;
}

/**
 * Every kind of source there is. The order is that of asking: where several sources tell a thing, the earlier is shown first.
 */
export const KINDS = {
  // AgentForge and other two-loop harnesses
  metrics: { words: 'metrics.json', basis: 'claimed' },
  progress_log: { words: 'the progress log', basis: 'measured' },
  git: { words: 'the git log', basis: 'measured' },
  feature_list: { words: 'feature_list.json', basis: 'claimed' },
  evaluator_report: { words: 'the evaluator report', basis: 'measured' },
  evaluator_feedback: { words: 'the evaluator feedback', basis: 'measured' },
  build_log: { words: 'the build log', basis: 'measured' },
  iteration_log: { words: 'the iteration log', basis: 'measured' },
  // Git
  ledger_history: { words: 'the history of the ledger', basis: 'measured' },
  // agent-loop
  loop_profile: { words: 'the project profile', basis: 'claimed' },
  loop_task: { words: 'task.md', basis: 'claimed' },
  loop_analysis: { words: 'analysis.md', basis: 'claimed' },
  loop_plan: { words: 'plan.md', basis: 'claimed' },
  loop_implementation: { words: 'implementation.md', basis: 'claimed' },
  loop_test_report: { words: 'test-report.md', basis: 'measured' },
  // GuardianKane
  activity_log: { words: 'the activity log', basis: 'measured' },
  task_tracker: { words: 'the task tracker', basis: 'claimed' },
  graph: { words: 'the graph', basis: 'derived' },
  graph_status: { words: 'the graph status', basis: 'derived' },
  bug_memory: { words: 'the bug memory', basis: 'measured' },
  knowledge_memory: { words: 'the knowledge memory', basis: 'measured' },
  scope_status: { words: 'the scope status', basis: 'measured' },
  lock_status: { words: 'the lock status', basis: 'measured' },
  tool_trace: { words: 'the tool trace', basis: 'measured' },
  test_definition: { words: 'the test definition', basis: 'claimed' },
  test_result: { words: 'the test result', basis: 'measured' },
  execution_meta: { words: 'the list of executions', basis: 'measured' },
  evidence_pack: { words: 'the evidence pack', basis: 'measured' },
  context_commit: { words: 'the context commit', basis: 'measured' },
  mutation_report: { words: 'the mutation report', basis: 'measured' },
  chat_log: { words: 'the chat log', basis: 'claimed' },
  kane_state: { words: 'the state file', basis: 'measured' },
  // Ralph family
  prd: { words: 'prd.json', basis: 'claimed' },
  progress_notes: { words: 'progress.txt', basis: 'claimed' },
  quickstart_list: { words: 'feature_list.json', basis: 'claimed' },
  fix_plan: { words: 'the fix plan', basis: 'claimed' },
  ralph_status: { words: 'status.json', basis: 'measured' },
  loop_metrics: { words: 'the loop metrics', basis: 'measured' },
  circuit_breaker: { words: 'the circuit breaker', basis: 'measured' },
  response_analysis: { words: 'the response analysis', basis: 'derived' },
  work_queue: { words: 'the queue', basis: 'measured' },
  agent_output: { words: 'the agent output', basis: 'claimed' },
  diagnostics: { words: 'the diagnostics', basis: 'measured' },
  orchestrator_events: { words: 'the event log', basis: 'measured' },
  orchestrator_tasks: { words: 'the task list', basis: 'claimed' },
  run_metrics: { words: 'the run metrics', basis: 'measured' },
  iterations: { words: 'the iterations file', basis: 'measured' },
  loop_state: { words: 'the state of the loop', basis: 'measured' },
  loop_log: { words: 'the loop log', basis: 'measured' },
  loop_contract: { words: 'the contract', basis: 'measured' },
  // Sessions of coding agents
  claude_session: { words: 'the session transcript', basis: 'measured' },
  claude_subagent: { words: "the subagent's transcript", basis: 'measured' },
  claude_result: { words: 'the headless result', basis: 'measured' },
  codex_rollout: { words: 'the Codex rollout', basis: 'measured' },
  codex_exec: { words: 'the output of codex exec', basis: 'measured' },
  otlp_events: { words: 'the telemetry', basis: 'measured' },
  // Test reports
  junit: { words: 'the JUnit report', basis: 'measured' },
  playwright_report: { words: 'the Playwright report', basis: 'measured' },
  vitest_report: { words: 'the test report', basis: 'measured' },
  // Looplight's own answers
  own_answers: { words: "Looplight's own answers", basis: 'measured' },
  // In a harness's folder, of no known kind: kept as raw events
  unknown_file: { words: 'an unknown file', basis: 'unknown' },
} as const satisfies Record<string, KindOfSource>;

export type SourceKind = keyof typeof KINDS;

/** All kinds, in the order of asking. */
export const SOURCE_KINDS: readonly SourceKind[] = Object.keys(KINDS).filter(
  (kind): kind is SourceKind => kind in KINDS,
);

/** A kind as it stands in the database, or null. */
export const kindOf = (text: string | null): SourceKind | null =>
  SOURCE_KINDS.find((kind) => kind === text) ?? null;
