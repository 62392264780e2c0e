import { capital } from '../../../shared/capital.ts';
import { LIMITS } from '../../../shared/limits.ts';
import {
  type AttemptsBlock,
  type Block,
  type BlockType,
  ChartBlock,
  LedgerBlock,
  LogBlock,
  type NoteBlock,
  Order,
  Scope,
  Size,
  type StatBlock,
  TimelineBlock,
} from '../../../shared/plan.ts';
import { columnOf, TABLE_COLUMNS, type TableKind } from '../../metrics/columns.ts';
import type { Checked } from '../types.ts';
import { actionsOf, measureRef, ownName, sentence, wheres } from './parts.ts';
import {
  checked,
  Findings,
  listOf,
  nameOf,
  oneOf,
  own,
  type Raw,
  rawOf,
  readList,
  textOf,
} from './reading.ts';

/** Columns of a table that names none. */
const USUAL_COLUMNS = 5;

/** Title of a card whose block has none. */
export const DEFAULT_TITLES: Readonly<Record<BlockType, string>> = {
  stat: 'Figures',
  chart: 'Chart',
  attempts: 'Attempts',
  feature_table: 'Features',
  commit_table: 'Commits',
  finding_table: 'Findings',
  project_table: 'Projects',
  gate_table: 'Gate runs',
  ledger: 'What is proven',
  log: 'Log',
  timeline: 'Timeline',
  note: 'Note',
};

const titleOf = (raw: Raw, type: BlockType): string =>
  textOf(own(raw, 'title'), LIMITS.title) ?? DEFAULT_TITLES[type];

/** Scope and filters; null when one of them cannot be read. */
function scopeOf(raw: Raw, findings: Findings) {
  const scope = oneOf(own(raw, 'scope'), Scope.options, 'about');
  const where = wheres(own(raw, 'where'), 'where', findings);
  if (scope === null) return findings.refuse('scope is none of its values');
  return where === null ? null : { scope, where };
}

/** Order, size, scope and filters, which charts and tables share; null when one of them cannot be read. */
function selection(raw: Raw, findings: Findings) {
  const order = oneOf(own(raw, 'order'), Order.options, 'natural');
  const size = oneOf(own(raw, 'size'), Size.options, 'some');
  if (order === null || size === null) return findings.refuse('order or size is none of its values');
  const inside = scopeOf(raw, findings);
  return inside && { order, size, ...inside };
}

/** A slot that names something or is empty; undefined when it holds anything else. */
function optionalName(value: unknown): string | null | undefined {
  return value === undefined ? null : (nameOf(value) ?? undefined);
}

function statBlock(raw: Raw, findings: Findings): StatBlock | null {
  const given = listOf(own(raw, 'figures'));
  const figures = readList(given, LIMITS.statFigures, (entry) => {
    const figure = rawOf(entry);
    const fact = figure && ownName(own(figure, 'fact'));
    const against = figure && own(figure, 'compare_to');
    if (!figure || !fact) return null;
    const compare = against === undefined ? null : ownName(against);
    // A comparison that cannot be read is left out with its figure: the caption may speak of it.
    if (against !== undefined && compare === null) return null;
    const label = textOf(own(figure, 'label'), LIMITS.label) ?? capital(fact.replaceAll('_', ' '));
    return { label, fact, compare_to: compare, caption: textOf(own(figure, 'caption'), LIMITS.body) };
  });
  if (figures.length === 0) return findings.refuse('figures: none that can be read');
  findings.trimmed(figures.length, given.length, 'figures');
  return {
    type: 'stat',
    title: titleOf(raw, 'stat'),
    figures,
    actions: actionsOf(own(raw, 'actions'), findings),
  };
}

function chartBlock(raw: Raw, findings: Findings): ChartBlock | null {
  const given = listOf(own(raw, 'measures') ?? own(raw, 'measure'));
  const measures = readList(given, LIMITS.series, measureRef);
  const by = nameOf(own(raw, 'by'));
  const split = optionalName(own(raw, 'split'));
  const draw = oneOf(own(raw, 'draw'), ChartBlock.shape.draw.options, 'bar');
  const selected = selection(raw, findings);
  if (measures.length === 0) return findings.refuse('measures: none that can be read');
  if (by === null) return findings.refuse('by: not a grouping');
  if (split === undefined) return findings.refuse('split: not a grouping');
  if (draw === null) return findings.refuse('draw: not a kind of chart');
  if (selected === null) return null;
  findings.trimmed(measures.length, given.length, 'measures');
  const actions = actionsOf(own(raw, 'actions'), findings);
  return { type: 'chart', title: titleOf(raw, 'chart'), measures, by, split, draw, ...selected, actions };
}

function attemptsBlock(raw: Raw, findings: Findings): AttemptsBlock | null {
  const feature = nameOf(own(raw, 'feature'));
  if (feature === null) return findings.refuse('feature: none is named');
  const actions = actionsOf(own(raw, 'actions'), findings);
  return { type: 'attempts', title: titleOf(raw, 'attempts'), feature, actions };
}

function ledgerBlock(raw: Raw, findings: Findings): LedgerBlock | null {
  const group = oneOf(own(raw, 'group'), LedgerBlock.shape.group.options, 'feature');
  if (group === null) return findings.refuse('group: not a grouping of requirements');
  const inside = scopeOf(raw, findings);
  const actions = actionsOf(own(raw, 'actions'), findings);
  return inside && { type: 'ledger', title: titleOf(raw, 'ledger'), group, ...inside, actions };
}

function logBlock(raw: Raw, findings: Findings): LogBlock | null {
  const around = oneOf(own(raw, 'around'), LogBlock.shape.around.options, 'nothing');
  const size = oneOf(own(raw, 'size'), Size.options, 'some');
  if (around === null) return findings.refuse('around: no place of a log');
  if (size === null) return findings.refuse('size is none of its values');
  const inside = scopeOf(raw, findings);
  const actions = actionsOf(own(raw, 'actions'), findings);
  return inside && { type: 'log', title: titleOf(raw, 'log'), around, size, ...inside, actions };
}

function timelineBlock(raw: Raw, findings: Findings): TimelineBlock | null {
  // Left out, it is what most records have; a kind that is none would draw something else than was meant.
  const of = oneOf(own(raw, 'of'), TimelineBlock.shape.of.options, 'attempts');
  if (of === null) return findings.refuse('of: nothing that has a place in time');
  const inside = scopeOf(raw, findings);
  const actions = actionsOf(own(raw, 'actions'), findings);
  return inside && { type: 'timeline', title: titleOf(raw, 'timeline'), of, ...inside, actions };
}

/** What all tables have besides their type. */
function tableSlots(type: TableKind, raw: Raw, findings: Findings) {
  const given = [...new Set(listOf(own(raw, 'columns')))];
  const known = readList(given, TABLE_COLUMNS[type].length, (entry) => {
    const id = nameOf(entry);
    return id !== null && columnOf(type, id) ? id : null;
  });
  if (given.length > 0 && known.length === 0) return findings.refuse('columns: none that this table has');
  const usual = TABLE_COLUMNS[type].slice(0, USUAL_COLUMNS).map((column) => column.id);
  const orderBy = optionalName(own(raw, 'order_by'));
  const selected = selection(raw, findings);
  if (orderBy === undefined) return findings.refuse('order_by: not a column');
  if (selected === null) return null;
  findings.trimmed(known.length, given.length, 'columns');
  const actions = actionsOf(own(raw, 'actions'), findings);
  const columns = known.length > 0 ? known : usual;
  return { title: titleOf(raw, type), columns, order_by: orderBy, ...selected, actions };
}

function noteBlock(raw: Raw, findings: Findings): NoteBlock | null {
  const given = listOf(own(raw, 'body'));
  let room: number = LIMITS.body;
  const body = readList(given, LIMITS.noteSentences, (entry) => {
    // The last sentence that does not fit is cut; one that would be a stump is left out.
    const read = room < LIMITS.label ? null : sentence(entry, room);
    room -= read?.says.length ?? 0;
    return read;
  });
  if (body.length === 0) return findings.refuse('body: no sentence that can be read');
  findings.trimmed(body.length, given.length, 'sentences');
  return {
    type: 'note',
    title: titleOf(raw, 'note'),
    body,
    actions: actionsOf(own(raw, 'actions'), findings),
  };
}

const reader =
  <T>(read: (raw: Raw, findings: Findings) => T | null) =>
  (value: unknown): Checked<T> => {
    const findings = new Findings();
    const raw = rawOf(value);
    return checked(raw ? read(raw, findings) : findings.refuse('not an object'), findings);
  };
const table = <T extends TableKind>(type: T) =>
  reader((raw, findings) => {
    const slots = tableSlots(type, raw, findings);
    return slots && { type, ...slots };
  });

/** One pure function a block type: anything in, a block of the strict shape out, or why not. */
export const sanitizeStat = reader(statBlock);
export const sanitizeChart = reader(chartBlock);
export const sanitizeAttempts = reader(attemptsBlock);
export const sanitizeFeatureTable = table('feature_table');
export const sanitizeCommitTable = table('commit_table');
export const sanitizeFindingTable = table('finding_table');
export const sanitizeProjectTable = table('project_table');
export const sanitizeGateTable = table('gate_table');
export const sanitizeLedger = reader(ledgerBlock);
export const sanitizeLog = reader(logBlock);
export const sanitizeTimeline = reader(timelineBlock);
export const sanitizeNote = reader(noteBlock);

const READERS = new Map<string, (value: unknown) => Checked<Block>>([
  ['stat', sanitizeStat],
  ['chart', sanitizeChart],
  ['attempts', sanitizeAttempts],
  ['feature_table', sanitizeFeatureTable],
  ['commit_table', sanitizeCommitTable],
  ['finding_table', sanitizeFindingTable],
  ['project_table', sanitizeProjectTable],
  ['gate_table', sanitizeGateTable],
  ['ledger', sanitizeLedger],
  ['log', sanitizeLog],
  ['timeline', sanitizeTimeline],
  ['note', sanitizeNote],
]);

/**
 * Reads one block by its type.
 * @returns codes `block_unknown` for a type that is none, `block_invalid` for content whose meaning is lost
 */
export function sanitizeBlock(value: unknown): Checked<Block> {
  const raw = rawOf(value);
  if (!raw) return { ok: false, code: 'block_invalid', issues: ['not an object'] };
  const type = own(raw, 'type');
  if (typeof type !== 'string') return { ok: false, code: 'block_invalid', issues: ['type: none is given'] };
  const read = READERS.get(type);
  return read ? read(raw) : { ok: false, code: 'block_unknown', issues: ['type: not a kind of card'] };
}
