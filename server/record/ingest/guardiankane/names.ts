/** The harness tells of one run: its files are overwritten in place and hold no id of a run. */
export const RUN = 'guardiankane';
export const HARNESS = 'guardiankane';

/** Id of a task in the record. */
export const featureId = (task: string): string => `${RUN}.f${task}`;

/** Who speaks first about what a task is called: the tracker, then the graph, then the log. */
export const RANKS = { tracker: 1, graph: 2, context: 3, log: 5 } as const;

/** Longest name of a task that is taken for one. */
const TASK_CHARS = 60;

/** Names in the place of a task that are none: lines about the harness itself. */
const NO_TASK = new Set(['system', 'graph']);

/** The task a line of the log is about; null for a line about the harness. */
export const taskOf = (name: string): string | null =>
  NO_TASK.has(name) || name.length > TASK_CHARS ? null : name;
