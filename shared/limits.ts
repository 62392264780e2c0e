/**
 * Every bound of the product in one place, so that a limit is found, tested and changed once.
 * Sizes are characters unless the name says bytes; waits are milliseconds.
 */
export const LIMITS = {
  /** Longest question accepted from a person. */
  question: 2_000,
  /** Most turns of one conversation that are kept and shown to a planner. */
  turns: 8,
  /** Conversations kept in memory; the least recently used goes first. */
  conversations: 200,

  /** Whole plan text; what comes after it is not read. */
  planBytes: 64 * 1024,
  /** Blocks looked at in one plan; later ones are counted, not read. */
  blocksSeen: 24,
  /** Nesting at which the scanner gives a block up. */
  planDepth: 32,

  blocks: 6,
  facts: 12,
  premises: 4,
  checks: 3,
  explanation: 4,
  actions: 2,
  followUps: 3,
  series: 4,
  points: 200,
  slices: 6,
  tableRows: 100,
  statFigures: 4,
  noteSentences: 12,
  title: 80,
  label: 60,
  body: 1_200,
  request: 400,
  /** One text cell or raw line shown on a card. */
  cellText: 400,
  /** Requirements of a ledger card, and proofs of one of them. */
  ledgerRows: 200,
  proofs: 6,
  /** Entries of a log card, and text of one of them. */
  logLines: 100,
  entryText: 1_200,
  /** Lanes of a timeline card, and marks on it. */
  lanes: 40,
  marks: 300,

  /** Rows one query may bring back before it is cut (and says so). */
  queryRows: 5_000,
  queryMs: 2_000,
  /** Rows of one query kept as evidence and shown in the drawer. */
  evidenceRows: 50,
  /** Lines shown around a cited line. */
  evidenceLines: 2,

  /** Evidence pack given to a planner. */
  evidenceItems: 12,
  evidenceChars: 6_000,

  /** One A2UI envelope on the wire. */
  envelopeBytes: 256 * 1024,
  /** Components on one surface. */
  components: 60,
  componentDepth: 8,

  /** Answers kept for resume, and events kept for each. */
  answersKept: 100,
  eventsKept: 2_000,
  /** Text of the kept events: of one answer, and of all; the oldest finished answers go first. */
  answerChars: 8 * 1024 * 1024,
  answersChars: 64 * 1024 * 1024,
  /** Answers kept as files, bytes of one, and how many a page lists. */
  archiveAnswers: 1_000,
  archiveBytes: 512 * 1024,
  archiveListed: 100,
  /** Figures of one answer kept to say later what changed, and changed ones that are named. */
  archiveFigures: 600,
  sinceFigures: 20,
  /** Longest retention that can be set, in days. */
  keepDays: 36_500,
  /** Boards kept as files, bytes of one, what stands on one, and what may be taken back after it was removed. */
  boards: 40,
  boardBytes: 2 * 1024 * 1024,
  boardItems: 12,
  boardName: 60,
  boardCards: 45,
  boardUndo: 20,
  /** Readers of the change feed, and answers followed for them at the same time. */
  liveReaders: 32,
  liveViews: 16,
  /** Shortest time between two looks at a record that changes, and the longest one look may take. */
  liveEveryMs: 1_000,
  liveMs: 20_000,
  /** Wait before a look that failed is tried again, doubled each time up to the longest. */
  liveRetryMs: 1_000,
  liveRetryMostMs: 30_000,
  /** Messages waiting for one slow reader; past them it is sent everything at once instead. */
  liveBacklog: 64,
  heartbeatMs: 15_000,
  /** Readers of one answer at the same time. */
  readers: 8,
  /** A reader that takes nothing for so long is let go; the answer itself goes on. */
  stallMs: 60_000,
  /** How long an answer nobody listens to goes on, so that it can be resumed. */
  orphanMs: 30_000,
  /** What is kept of the way of an answer: pieces of plan text, findings of the scanner, cards, entries of one list, one text. */
  tracePieces: 2_000,
  traceScans: 200,
  traceCards: 60,
  traceEntries: 30,
  traceText: 400,
  /** A saved answer as a file; the time its events may span, and how much slower or faster it may be played. */
  savedBytes: 32 * 1024 * 1024,
  savedMs: 10 * 60_000,
  slowest: 0.01,
  fastest: 100,
  premiseMs: 2_000,
  evidenceMs: 2_000,
  /** Wait for a model's first block, and for the whole of its text. */
  plannerFirstMs: 30_000,
  plannerMs: 120_000,
  /** Kept reading this long after a model said it had finished, for the closing lines of its stream. */
  plannerCloseMs: 500,
  /** Everything a model server may send for one answer; one text piece travels in some 250 bytes of wrapping. */
  modelBytes: 32 * 1024 * 1024,
  /** One line of a model's stream; a plan's piece is a few hundred bytes. */
  modelLineBytes: 512 * 1024,
  /** Body of a model server's error that is read. */
  modelErrorBytes: 16 * 1024,

  /** Whole prompt of one answer; the profile of the record gives way first. */
  promptChars: 60_000,
  /** Features named in a prompt; of more, those whose titles the question touches come first. */
  promptFeatures: 120,
  /** Names of one list (features, categories) that become an enum of the plan's schema; a longer list is left open. */
  enumValues: 80,
  enumValueChars: 60,

  /** One text in a log line, levels of objects and causes in it, and entries of one object. */
  logText: 4_000,
  logDepth: 8,
  logEntries: 100,
  resolveMs: 5_000,
  verifyMs: 10_000,
  verifyPasses: 3,

  /** Body of one request. */
  bodyBytes: 32 * 1024,
  /** Requests of one address in a minute: all, and those that make an answer. */
  requestsPerMinute: 1_200,
  answersPerMinute: 120,
  /** Telemetry: body of one request as sent and unpacked, requests taken at once, wait for a body, records and values of one request. */
  otlpBodyBytes: 4 * 1024 * 1024,
  otlpUnpackedBytes: 8 * 1024 * 1024,
  otlpOpen: 16,
  otlpBodyMs: 30_000,
  otlpRecords: 20_000,
  otlpValues: 400_000,
  /** Nesting of one value, attributes of one record and characters of a key, and one record as it is kept. */
  otlpDepth: 12,
  otlpAttributes: 80,
  otlpKey: 128,
  otlpLineBytes: 64 * 1024,
  /** Records and bytes kept in a minute, one file, and all files of one project; the oldest go first. */
  otlpRecordsPerMinute: 120_000,
  otlpBytesPerMinute: 64 * 1024 * 1024,
  otlpFileBytes: 8 * 1024 * 1024,
  otlpFolderBytes: 128 * 1024 * 1024,
  otlpFiles: 200,
  /** Sessions, scopes and spans a reader of telemetry remembers, and requests remembered to know one that is sent again. */
  otlpSessions: 500,
  otlpScopes: 100,
  otlpSpans: 2_000,
  otlpSeen: 512,
  otlpSeenMs: 600_000,
  /** How long open answers may take to end when the server is asked to. */
  shutdownMs: 5_000,

  /** One line of a source file; a longer one becomes a finding. */
  lineBytes: 1024 * 1024,
  /** Bytes of a file looked at to tell what it is, and what a log's reader may keep to read on later. */
  sniffBytes: 16 * 1024,
  carryBytes: 256 * 1024,
  /** Price lists that are bundled, bytes and entries of one, and things wrong with it that are told. */
  priceLists: 50,
  priceBytes: 1024 * 1024,
  priceEntries: 5_000,
  priceProblems: 50,
  /** Rows of one table gathered before they are written. */
  batchRows: 2_000,
  /** Folders and files looked at to find sources, depth of folders, and files read of one project. */
  walkEntries: 50_000,
  walkDepth: 12,
  foundSources: 5_000,
  /** Entries looked at in the folders of sessions, files of sessions read of one project, and bytes looked at to tell where one worked. */
  sessionEntries: 100_000,
  sessionFiles: 4_000,
  sessionHeadBytes: 256 * 1024,
  /** Bytes at the start and before the end of reading that show whether a log has only grown. */
  prefixBytes: 64 * 1024,
  /** Projects loaded at once. */
  projects: 12,
  /** One source file read as a whole (JSON documents). */
  fileBytes: 64 * 1024 * 1024,
  /** Nesting of a JSON source, and values in it. */
  sourceDepth: 64,
  sourceValues: 2_000_000,
  /** Entries of one source that are read (features, commits, log lines with meaning); later ones are counted. */
  sourceEntries: 50_000,
  /** Acceptance criteria read of one story, and files of one section of progress notes. */
  storyCriteria: 500,
  sectionFiles: 200,
  /** Entries of a file of no known kind that are kept. */
  unknownEntries: 500,
  /** Lines kept of one planning pass, notes about features read out of it, and out of all passes of a log. */
  passLines: 5_000,
  passNotes: 1_000,
  planningNotes: 20_000,
  /** Findings about one source that are kept; the last one says how many more there were. */
  sourceIssues: 200,
  /** Text of one field of a source (a description, a subject, feedback). */
  sourceText: 4_000,
  /** A YAML source read as a whole. */
  yamlBytes: 8 * 1024 * 1024,
  /** An archive: entries looked at, texts read, size of one packed and unpacked, of all unpacked, and how often larger one may become. */
  archiveEntries: 20_000,
  archiveTexts: 2_000,
  archivePackedBytes: 256 * 1024,
  archiveTextBytes: 1024 * 1024,
  archiveAllBytes: 16 * 1024 * 1024,
  archiveRatio: 200,
  /** Text of one entry of a log that goes over several lines. */
  logEntry: 64 * 1024,
  /** Tasks and open checks of a log that are known while it is read; the oldest tasks are forgotten first. */
  logTasks: 500,
  /** Lines after which a check of a log that was started is not waited for any more. */
  logOpenLines: 5_000,
  /** Output of `git log` read for one folder, and the wait for it. */
  gitBytes: 64 * 1024 * 1024,
  gitMs: 10_000,
  /** The whole of one reading by git, files of a repository that are checked before it, and the largest blob that is compared line by line. */
  gitTotalMs: 120_000,
  gitEntries: 200_000,
  gitBlobBytes: 16 * 1024 * 1024,
  /** Text of one commit's message, paths listed of one commit, and the bytes all paths of a log may take up. */
  commitText: 32 * 1024,
  commitPaths: 500,
  gitPathBytes: 24 * 1024 * 1024,
  /** States of one ledger that are compared, bytes of one state, and entries of one. */
  ledgerStates: 2_000,
  ledgerBytes: 4 * 1024 * 1024,
  ledgerEntries: 5_000,
  /** Statements one connection keeps prepared, and connections one reader of the store has. */
  preparedStatements: 64,
  storeConnections: 3,
  /** Changes made by hand on cards, by one reader in a minute. */
  changesPerMinute: 120,
  /** Features offered while somebody types, and lines of the list under the ask box. */
  menuFeatures: 2_000,
  suggestions: 6,
  /** Features named in a record's profile. */
  profileFeatures: 20_000,
  /** One raw line as sent to the browser. */
  rawLine: 2_000,
} as const;
