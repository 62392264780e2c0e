import type { SqlValue } from './store.ts';

/**
 * The record's base tables (a star schema: facts point at runs and features, every fact at a line of a source). One list makes
 * the DDL and the types of rows. Units: `*_ms` integer milliseconds (timestamps are UTC epoch ms), `*_uusd` integer
 * micro-dollars, `duration_s` seconds, tokens and lines counts. NULL is "not recorded", 0 is a measured zero.
 *
 * Tables ending in `_told` hold one source's word; what is counted is derived from them in schema.ts. Ids are made of what
 * a row is about and where it stands, so reading the same source twice gives the same rows.
 */
export type ColumnType = 'TEXT' | 'BIGINT' | 'DOUBLE' | 'BOOLEAN';
/** A question mark: the column may be NULL. */
export type Column = ColumnType | `${ColumnType}?`;

/** Where a row stands. `last_line` where an entry goes over several lines. */
const AT = { source_id: 'TEXT', source_line: 'BIGINT?' } as const;
/** The same, with the kind of source, for rows whose teller matters. */
const TOLD = { source_id: 'TEXT', source_kind: 'TEXT', source_line: 'BIGINT?' } as const;

export const COLUMNS = {
  meta: { key: 'TEXT', value: 'TEXT' },
  projects: { project_id: 'TEXT', name: 'TEXT', root_path: 'TEXT?' },
  /** `unit`: what is read together; `state`, `offset_bytes`, `next_line`, `tail_sha`, `carry`: how to read on where reading ended, and how to see that the file has only grown. */
  sources: {
    source_id: 'TEXT',
    project_id: 'TEXT',
    kind: 'TEXT',
    label: 'TEXT',
    path: 'TEXT',
    content_sha: 'TEXT?',
    bytes: 'BIGINT?',
    lines_ok: 'BIGINT?',
    lines_bad: 'BIGINT?',
    parser: 'TEXT',
    parser_version: 'BIGINT',
    unit: 'TEXT',
    state: 'TEXT',
    offset_bytes: 'BIGINT?',
    next_line: 'BIGINT?',
    tail_sha: 'TEXT?',
    carry: 'TEXT?',
  },
  ingest_issues: {
    issue_id: 'TEXT',
    source_id: 'TEXT',
    line_no: 'BIGINT?',
    code: 'TEXT',
    severity: 'TEXT',
    detail: 'TEXT',
  },
  /** One source's word on a run. `rank`: smaller speaks first. `is_current` only where the harness itself tells which run is. */
  runs_told: {
    run_id: 'TEXT',
    harness: 'TEXT',
    ord: 'BIGINT?',
    name: 'TEXT?',
    started_at_ms: 'BIGINT?',
    ended_at_ms: 'BIGINT?',
    zone: 'TEXT?',
    /** running|succeeded|failed|stopped|unknown */
    status: 'TEXT?',
    end_reason: 'TEXT?',
    is_current: 'BOOLEAN?',
    rank: 'BIGINT',
    ...AT,
  },
  /** One source's word on a feature (task, story): what exists, and how it is called. Its state is an observation. */
  features_told: {
    feature_id: 'TEXT',
    run_id: 'TEXT',
    ext_id: 'TEXT',
    ord: 'BIGINT?',
    title: 'TEXT?',
    description: 'TEXT?',
    category: 'TEXT?',
    /** External ids of features it waits for, separated by a space. */
    depends_on: 'TEXT?',
    rank: 'BIGINT',
    ...AT,
  },
  /**
   * One word of one source about one feature (or about the run: feature_id NULL). value: a number; text_value: a state.
   * how: how it was read ("as written", "120 + 140 + 159"). Fact names: ingest/facts.ts.
   */
  observations_told: {
    observation_id: 'TEXT',
    run_id: 'TEXT',
    feature_id: 'TEXT?',
    fact: 'TEXT',
    value: 'DOUBLE?',
    text_value: 'TEXT?',
    basis: 'TEXT',
    how: 'TEXT',
    ...TOLD,
  },
  /** One try at one feature as one source lists it. */
  attempts: {
    attempt_id: 'TEXT',
    run_id: 'TEXT',
    feature_id: 'TEXT?',
    n: 'BIGINT',
    started_at_ms: 'BIGINT?',
    ended_at_ms: 'BIGINT?',
    score: 'DOUBLE?',
    duration_s: 'DOUBLE?',
    /** pass|block|error|timeout|cancelled|no_verdict|impossible|bypassed */
    verdict: 'TEXT?',
    passed: 'BOOLEAN?',
    feedback: 'TEXT?',
    tokens_coder: 'BIGINT?',
    tokens_evaluator: 'BIGINT?',
    /** agent|verifier|infra|provider|spec|unknown; anything but unknown needs attribution_basis. */
    attribution: 'TEXT',
    /** The positive evidence for the attribution, in words. */
    attribution_basis: 'TEXT?',
    /** explicit|ledger|commit|prompt|time_window|order|unknown */
    link_method: 'TEXT?',
    basis: 'TEXT',
    ...TOLD,
  },
  /** One execution of one gate or verifier that came to an outcome. */
  gate_events: {
    gate_event_id: 'TEXT',
    /** NULL where the gate belongs to no run, as a test report found beside the code. */
    run_id: 'TEXT?',
    feature_id: 'TEXT?',
    attempt_n: 'BIGINT?',
    /** Attempts the harness allows, where it says so. */
    attempt_cap: 'BIGINT?',
    /** scripted_test|defect_sweep|secret_scan|evidence_check|tampering_check|manual|evaluator|test_report|compilation|hook|… */
    gate: 'TEXT',
    verdict: 'TEXT',
    enforced: 'BOOLEAN?',
    exit_code: 'BIGINT?',
    cases_run: 'BIGINT?',
    cases_passed: 'BIGINT?',
    attribution: 'TEXT',
    attribution_basis: 'TEXT?',
    /** The verifier's own family of the failure (product, oracle, …) and its confidence 0..1, kept beside it. */
    family: 'TEXT?',
    confidence: 'DOUBLE?',
    reason: 'TEXT?',
    started_at_ms: 'BIGINT?',
    ended_at_ms: 'BIGINT?',
    duration_ms: 'BIGINT?',
    session_id: 'TEXT?',
    /** What the row is, wherever it is copied to (a resumed session begins with the rows of another); the first of equal ones counts. */
    copy_key: 'TEXT?',
    is_copy: 'BOOLEAN?',
    ...TOLD,
    last_line: 'BIGINT?',
  },
  /** One score on one dimension. */
  evaluations: {
    evaluation_id: 'TEXT',
    run_id: 'TEXT',
    feature_id: 'TEXT?',
    attempt_n: 'BIGINT?',
    requirement_ref: 'TEXT?',
    evaluator: 'TEXT?',
    dimension: 'TEXT',
    /** scored|unscored|error */
    state: 'TEXT',
    score: 'DOUBLE?',
    score_min: 'DOUBLE?',
    score_max: 'DOUBLE?',
    weight: 'DOUBLE?',
    threshold: 'DOUBLE?',
    passed: 'BOOLEAN?',
    rationale: 'TEXT?',
    at_ms: 'BIGINT?',
    ...TOLD,
  },
  /** An acceptance criterion, step or use case. claimed_pass: the ledger's own word. */
  requirements_told: {
    requirement_id: 'TEXT',
    run_id: 'TEXT',
    feature_id: 'TEXT?',
    ext_id: 'TEXT',
    text: 'TEXT',
    /** criterion|step|use_case|feature */
    kind: 'TEXT',
    claimed_pass: 'BOOLEAN?',
    /** The requirement this one belongs to (a criterion's use case), by external id. */
    parent_ref: 'TEXT?',
    rank: 'BIGINT',
    ...AT,
  },
  /** Proof for or against a requirement, named by its external id (any case) or that of its feature. */
  evidence_told: {
    evidence_id: 'TEXT',
    requirement_ref: 'TEXT',
    /** test|gate|evaluation|human */
    kind: 'TEXT',
    ref_id: 'TEXT?',
    /** supports|refutes|void */
    polarity: 'TEXT',
    /** explicit|tag|name_match|inferred */
    link: 'TEXT',
    commit_sha: 'TEXT?',
    at_ms: 'BIGINT?',
    says: 'TEXT?',
    ...TOLD,
  },
  commits_told: {
    sha: 'TEXT',
    run_id: 'TEXT?',
    feature_id: 'TEXT?',
    /** External id of the feature the commit names, and how: trailer|subject. */
    feature_ref: 'TEXT?',
    link_method: 'TEXT?',
    at_ms: 'BIGINT?',
    zone: 'TEXT?',
    author: 'TEXT?',
    subject: 'TEXT',
    /** accept|skip|revert|other */
    kind: 'TEXT',
    reverts_sha: 'TEXT?',
    files: 'BIGINT?',
    insertions: 'BIGINT?',
    deletions: 'BIGINT?',
    ...AT,
  },
  /** A path touched by a commit or a tool. `path` is inside the project and spelled one way; `raw_path` as the source writes it. */
  file_touches: {
    touch_id: 'TEXT',
    run_id: 'TEXT?',
    feature_id: 'TEXT?',
    commit_sha: 'TEXT?',
    tool_call_id: 'TEXT?',
    path: 'TEXT',
    raw_path: 'TEXT',
    /** read|create|edit|delete|rename|touch|listed */
    op: 'TEXT',
    lines_added: 'BIGINT?',
    lines_removed: 'BIGINT?',
    at_ms: 'BIGINT?',
    session_id: 'TEXT?',
    /** What the row is, wherever it is copied to (a resumed session begins with the rows of another); the first of equal ones counts. */
    copy_key: 'TEXT?',
    is_copy: 'BOOLEAN?',
    ...TOLD,
  },
  /** A ledger entry that changed between two states of the ledger. */
  ledger_flips: {
    flip_id: 'TEXT',
    run_id: 'TEXT?',
    feature_ref: 'TEXT',
    field: 'TEXT',
    from_value: 'TEXT?',
    to_value: 'TEXT?',
    commit_sha: 'TEXT?',
    at_ms: 'BIGINT?',
    ledger_path: 'TEXT',
    ...AT,
  },
  /** Anything else with a time or a place in a log; `kind` as the adapter classifies it, `raw` when it does not know the type. */
  log_events: {
    event_id: 'TEXT',
    run_id: 'TEXT?',
    feature_id: 'TEXT?',
    at_ms: 'BIGINT?',
    zone: 'TEXT?',
    /** info|warning|error */
    level: 'TEXT?',
    kind: 'TEXT',
    message: 'TEXT',
    /** Further fields as JSON text. */
    data: 'TEXT?',
    session_id: 'TEXT?',
    /** What the row is, wherever it is copied to (a resumed session begins with the rows of another); the first of equal ones counts. */
    copy_key: 'TEXT?',
    is_copy: 'BOOLEAN?',
    ...TOLD,
    last_line: 'BIGINT?',
  },
  test_runs: {
    test_run_id: 'TEXT',
    run_id: 'TEXT?',
    framework: 'TEXT',
    commit_sha: 'TEXT?',
    dirty: 'BOOLEAN?',
    started_at_ms: 'BIGINT?',
    zone: 'TEXT?',
    duration_ms: 'DOUBLE?',
    load_errors: 'BIGINT',
    cases: 'BIGINT',
    /** passed|failed|errored|empty */
    status: 'TEXT',
    ...AT,
  },
  test_results: {
    test_result_id: 'TEXT',
    test_run_id: 'TEXT',
    file: 'TEXT?',
    suite: 'TEXT?',
    name: 'TEXT',
    /** passed|failed|error|timeout|skipped|todo|flaky|expected_failure|load_error */
    status: 'TEXT',
    retries: 'BIGINT?',
    duration_ms: 'DOUBLE?',
    message: 'TEXT?',
    /** External ids of requirements it names, separated by a space. */
    requirement_refs: 'TEXT?',
    ...AT,
  },
  graph_nodes: {
    graph_id: 'TEXT',
    node_id: 'TEXT',
    run_id: 'TEXT',
    type: 'TEXT',
    label: 'TEXT?',
    state: 'TEXT?',
    title: 'TEXT?',
    trust: 'TEXT?',
    generated_at_ms: 'BIGINT?',
    ...AT,
  },
  graph_edges: {
    graph_id: 'TEXT',
    from_node: 'TEXT',
    to_node: 'TEXT',
    type: 'TEXT',
    confidence: 'TEXT?',
    ...AT,
  },
  /**
   * One source's word on an agent's session (a context window, main or subagent). Several rows of one session add up: the first
   * value that is told counts. When it began and ended follows from its rows where no source says.
   */
  sessions_told: {
    session_id: 'TEXT',
    run_id: 'TEXT?',
    parent_session_id: 'TEXT?',
    /** The session whose history this one begins with. */
    forked_from: 'TEXT?',
    /** builder|verifier|evaluator|planner|reviewer|other */
    role: 'TEXT?',
    is_subagent: 'BOOLEAN?',
    harness: 'TEXT?',
    harness_version: 'TEXT?',
    title: 'TEXT?',
    cwd: 'TEXT?',
    git_branch: 'TEXT?',
    /** HEAD of the repository when it began. */
    base_commit: 'TEXT?',
    started_at_ms: 'BIGINT?',
    ended_at_ms: 'BIGINT?',
    /** completed|stopped|error|max_turns|max_budget|interrupted|unknown */
    end_reason: 'TEXT?',
    /** How a session that only telemetry tells of came to this project: session|named|first. */
    placed_by: 'TEXT?',
    rank: 'BIGINT',
    ...AT,
  },
  /**
   * One source's word on a billed model call (or a turn, where the source knows no finer). Several rows may tell of one call: the
   * derived table llm_requests counts each once. Token classes are disjoint, out_reasoning is part of out_total.
   */
  llm_requests_told: {
    told_id: 'TEXT',
    /** transcript|rollout|exec|otlp_event|otlp_span|harness: money of one call is counted from one channel only. */
    channel: 'TEXT',
    provider: 'TEXT?',
    run_id: 'TEXT?',
    session_id: 'TEXT?',
    feature_id: 'TEXT?',
    attempt_n: 'BIGINT?',
    /** The provider's id of the message, and of the request; an empty one is NULL. */
    message_id: 'TEXT?',
    request_ref: 'TEXT?',
    turn_id: 'TEXT?',
    /** Place among the session's token counts, from 1, repeats left out. */
    n: 'BIGINT?',
    /** A running total and what was added, as the source writes them, for telling a replayed row. */
    totals: 'TEXT?',
    last: 'TEXT?',
    is_sidechain: 'BOOLEAN?',
    model: 'TEXT?',
    started_at_ms: 'BIGINT?',
    ended_at_ms: 'BIGINT?',
    duration_ms: 'BIGINT?',
    ttft_ms: 'BIGINT?',
    in_uncached: 'BIGINT?',
    in_cache_read: 'BIGINT?',
    in_cache_write_5m: 'BIGINT?',
    in_cache_write_1h: 'BIGINT?',
    out_total: 'BIGINT?',
    out_reasoning: 'BIGINT?',
    web_searches: 'BIGINT?',
    /** standard|fast */
    speed: 'TEXT?',
    /** standard|batch|priority|flex */
    tier: 'TEXT?',
    effort: 'TEXT?',
    /** main|subagent|auxiliary */
    query_source: 'TEXT?',
    cwd: 'TEXT?',
    git_branch: 'TEXT?',
    /** What the source itself says it cost. */
    cost_reported_uusd: 'BIGINT?',
    /** exact|lower_bound|estimated */
    token_quality: 'TEXT?',
    /** ok|error|refused|aborted */
    status: 'TEXT?',
    http_status: 'BIGINT?',
    try_no: 'BIGINT?',
    ...TOLD,
  },
  /** One source's word on a tool call; a call and its result are two rows with one tool_call_id. */
  tool_calls_told: {
    tool_call_id: 'TEXT',
    run_id: 'TEXT?',
    session_id: 'TEXT?',
    feature_id: 'TEXT?',
    attempt_n: 'BIGINT?',
    /** NULL in the row of a result. */
    name: 'TEXT?',
    /** shell|edit|read|search|mcp|web|subagent|other */
    kind: 'TEXT?',
    target: 'TEXT?',
    is_sidechain: 'BOOLEAN?',
    started_at_ms: 'BIGINT?',
    ended_at_ms: 'BIGINT?',
    duration_ms: 'BIGINT?',
    wait_user_ms: 'BIGINT?',
    /** ok|error|denied|interrupted|unknown */
    status: 'TEXT?',
    exit_code: 'BIGINT?',
    error_class: 'TEXT?',
    /** The error as it repeats: its text without numbers, paths and ids, at most 200 characters. */
    error_sig: 'TEXT?',
    output_bytes: 'BIGINT?',
    /** A commit the call made, as its output names it. */
    commit_sha: 'TEXT?',
    ...TOLD,
  },
  /** A stretch of a session that is neither a model call nor a tool call nor a gate. */
  session_spans: {
    span_id: 'TEXT',
    session_id: 'TEXT',
    /** person: waiting for a person's next word; permission: for an answer; compaction; turn: from a prompt to its end */
    kind: 'TEXT',
    started_at_ms: 'BIGINT',
    ended_at_ms: 'BIGINT',
    /** It lies in the time of the session this one was resumed or forked from. */
    is_copy: 'BOOLEAN?',
    ...TOLD,
  },
  /** Totals a harness itself reports of a session or of one model in it: for reconciliation, never added to anything. */
  reported_totals: {
    total_id: 'TEXT',
    session_id: 'TEXT?',
    /** main: the main loop alone; tree: with subagents; model: one model of the tree; turn */
    scope: 'TEXT',
    model: 'TEXT?',
    in_uncached: 'BIGINT?',
    in_cache_read: 'BIGINT?',
    in_cache_write: 'BIGINT?',
    out_total: 'BIGINT?',
    out_reasoning: 'BIGINT?',
    cost_uusd: 'BIGINT?',
    duration_ms: 'BIGINT?',
    api_ms: 'BIGINT?',
    turns: 'BIGINT?',
    at_ms: 'BIGINT?',
    ...TOLD,
  },
  /** Figures of a telemetry channel, for reconciliation only; never added to facts. */
  metric_points: {
    point_id: 'TEXT',
    run_id: 'TEXT?',
    session_id: 'TEXT?',
    name: 'TEXT',
    unit: 'TEXT?',
    model: 'TEXT?',
    attributes: 'TEXT?',
    start_ms: 'BIGINT?',
    at_ms: 'BIGINT?',
    value: 'DOUBLE?',
    /** delta|cumulative|gauge */
    temporality: 'TEXT?',
    ...AT,
  },
  /** What a million tokens of each class cost; the columns of data/prices and of a user's own file. */
  prices: {
    price_id: 'TEXT',
    provider: 'TEXT?',
    model: 'TEXT',
    valid_from_ms: 'BIGINT?',
    valid_to_ms: 'BIGINT?',
    /** standard|fast; standard|batch|priority|flex */
    speed: 'TEXT',
    tier: 'TEXT',
    /** Applies to requests with more input tokens than this; 0 to all. */
    over_input_tokens: 'BIGINT',
    in_uusd_per_mtok: 'BIGINT?',
    cache_read_uusd_per_mtok: 'BIGINT?',
    cache_write_5m_uusd_per_mtok: 'BIGINT?',
    cache_write_1h_uusd_per_mtok: 'BIGINT?',
    out_uusd_per_mtok: 'BIGINT?',
    web_search_uusd: 'BIGINT?',
    origin: 'TEXT',
    /** When somebody last looked it up. */
    checked_at_ms: 'BIGINT?',
    ...AT,
  },
  /** One answer Looplight itself gave; only in the record of its own answers (server/own), never beside a harness's run. */
  own_answers: {
    answer_id: 'TEXT',
    question: 'TEXT',
    /** builtin|model, and what people call it. */
    planner_kind: 'TEXT',
    planner: 'TEXT',
    asked_at_ms: 'BIGINT',
    took_ms: 'DOUBLE',
    first_card_ms: 'DOUBLE?',
    tokens_in: 'BIGINT?',
    tokens_out: 'BIGINT?',
    cards: 'BIGINT',
    dropped: 'BIGINT?',
    repaired: 'BIGINT?',
    corrected: 'BIGINT?',
    verified: 'BIGINT?',
    unverified: 'BIGINT?',
    figures: 'BIGINT?',
    /** Made with a kept plan, without asking a planner. */
    reused: 'BOOLEAN',
    /** Stable code it ended with; NULL when it ended well. */
    end_code: 'TEXT?',
    ...AT,
  },
  findings: {
    finding_id: 'TEXT',
    run_id: 'TEXT?',
    feature_id: 'TEXT?',
    rule: 'TEXT',
    severity: 'TEXT',
    fact: 'TEXT?',
    says: 'TEXT',
  },
  /** What a finding rests on: a line of a source, and the observation, attempt or event (its id) where there is one. */
  finding_rows: { finding_id: 'TEXT', source_id: 'TEXT', source_line: 'BIGINT?', observation_id: 'TEXT?' },
} as const satisfies Record<string, Record<string, Column>>;

export type TableName = keyof typeof COLUMNS;

/** Tables that adapters fill. The rest belong to reading itself and to the audit. */
export type FactTable = Exclude<
  TableName,
  'meta' | 'projects' | 'sources' | 'ingest_issues' | 'findings' | 'finding_rows'
>;

type Cell<C extends Column> = C extends 'TEXT'
  ? string
  : C extends 'TEXT?'
    ? string | null
    : C extends 'BIGINT' | 'DOUBLE'
      ? number
      : C extends 'BIGINT?' | 'DOUBLE?'
        ? number | null
        : C extends 'BOOLEAN'
          ? boolean
          : boolean | null;
type Columns<T extends TableName> = (typeof COLUMNS)[T];
type Required<T extends TableName> = {
  [C in keyof Columns<T> as Columns<T>[C] extends ColumnType ? C : never]: Columns<T>[C] extends Column
    ? Cell<Columns<T>[C]>
    : never;
};
type Optional<T extends TableName> = {
  [C in keyof Columns<T> as Columns<T>[C] extends ColumnType ? never : C]?: Columns<T>[C] extends Column
    ? Cell<Columns<T>[C]>
    : never;
};
/** A row to write: what may be NULL may also be left out. */
export type RowOf<T extends TableName> = Required<T> & Optional<T>;

/** A row of any table, by column. */
export type AnyRow = Readonly<Record<string, SqlValue | undefined>>;

/** Every table name, in the order of writing. */
export const TABLE_NAMES: readonly TableName[] = Object.keys(COLUMNS).filter(
  (name): name is TableName => name in COLUMNS,
);

const NAMES: ReadonlyMap<TableName, readonly string[]> = new Map(
  TABLE_NAMES.map((table) => [table, Object.keys(COLUMNS[table])]),
);

/** Column names of a table, in order. */
export const columnsOf = (table: TableName): readonly string[] => NAMES.get(table) ?? [];

/** Cells of a row in column order; a column the row leaves out is NULL. */
export const cellsOf = (table: TableName, row: AnyRow): SqlValue[] =>
  columnsOf(table).map((column) => row[column] ?? null);

const ddl = (table: TableName): string => {
  const columns = Object.entries(COLUMNS[table]).map(([name, type]) =>
    type.endsWith('?') ? `"${name}" ${type.slice(0, -1)}` : `"${name}" ${type} NOT NULL`,
  );
  return `CREATE TABLE IF NOT EXISTS ${table}(${columns.join(', ')});\n`;
};

/** DDL of all base tables. */
export const TABLES = TABLE_NAMES.map(ddl).join('');
