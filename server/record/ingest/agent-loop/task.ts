import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceInput } from '../adapter.ts';
import { titleOf } from '../title.ts';
import { MODES, type Mode, TIERS, type Tier } from './contract.ts';
import { type Artifact, bare, type Item, itemsOf, type TextLine } from './markdown.ts';

/** Something said, and where. */
export interface Said<T> {
  value: T;
  line: number;
}

/** `task.md`: the task in its own words, how large it was judged to be, and how it was to be worked on. Free form. */
export interface Task {
  title: string | null;
  line: number | null;
  text: string;
  tier: Said<Tier> | null;
  mode: Said<Mode> | null;
  reasoning: Said<string> | null;
  criteria: Item[];
}

/** `Tier: L`, `- **Tier:** M`, `| Tier | S |`, and `Tier M, Mode B (no subagents)`. */
const TIER = /^\W{0,6}tier\W{0,6}([SML]|small|medium|large)\b(.*)$/i;
const MODE = /^\W{0,6}mode\W{0,6}([AB])\b/i;
const REASONING = /^\W{0,4}reason(?:ing)?\W{0,3}[:–—-]\W{0,4}(\S.*)$/i;
const LETTER = /^\W{0,4}(?:([A-Z])|(s)mall|(m)edium|(l)arge)\b/i;
const CRITERIA = /^\W{0,4}(?:acceptance )?criteria\b/i;

/** Lines that stand for themselves: in a section of their name the value is the first line. */
function settingsOf(artifact: Artifact): { lines: TextLine[]; named: Map<string, TextLine> } {
  const named = new Map<string, TextLine>();
  const lines = [...artifact.intro];
  for (const { key, line, lines: own } of artifact.sections) {
    const first = own.find(({ text }) => text.trim() !== '');
    if ((key === 'tier' || key === 'mode' || key === 'reasoning') && first) named.set(key, first);
    else if (!CRITERIA.test(key)) lines.push({ no: line, text: '', fence: null }, ...own);
  }
  return { lines, named };
}

/** One of the given letters at the start of a text, alone or as the first of its word. */
const letterOf = <T extends string>(all: readonly T[], text: string): T | undefined => {
  const letter = LETTER.exec(text)
    ?.slice(1)
    .find((one) => one !== undefined)
    ?.toUpperCase();
  return all.find((one) => one === letter);
};

export function readTask(artifact: Artifact, source: Pick<SourceInput, 'issue'>): Task {
  const { lines, named } = settingsOf(artifact);
  let tier: Task['tier'] = null;
  let mode: Task['mode'] = null;
  let reasoning: Task['reasoning'] = null;
  const words: TextLine[] = [];
  let wordsOpen = true;
  for (const line of lines) {
    const text = line.fence === null ? line.text : '';
    const found = TIER.exec(text);
    const letter = found ? letterOf(TIERS, found[1] ?? '') : undefined;
    const way = letterOf(MODES, MODE.exec(found?.[2] ?? text)?.[1] ?? '');
    if (letter) {
      if (tier && tier.value !== letter)
        source.issue(
          'duplicate_key',
          'warning',
          line.no,
          `The tier is ${tier.value} above and ${letter} here; the later one was read.`,
        );
      tier = { value: letter, line: line.no };
    }
    if (way) mode = { value: way, line: line.no };
    const why = letter || way ? null : REASONING.exec(text)?.[1];
    if (why) reasoning = { value: why.trim(), line: line.no };
    if (letter || way || why) wordsOpen = false;
    // A reasoning may go on; what the task is about stands before it.
    else if (wordsOpen) words.push(line);
  }
  const own = (key: string): TextLine => named.get(key) ?? { no: 0, text: '', fence: null };
  const namedTier = letterOf(TIERS, own('tier').text);
  const namedMode = letterOf(MODES, own('mode').text);
  if (namedTier) tier = { value: namedTier, line: own('tier').no };
  if (namedMode) mode = { value: namedMode, line: own('mode').no };
  if (named.has('reasoning')) reasoning = { value: own('reasoning').text.trim(), line: own('reasoning').no };
  const text = wordsOf(words);
  const heading = artifact.title?.replace(/^task\b[\s:–—-]{0,5}/i, '').trim() ?? '';
  const first = words.find((line) => line.text.trim() !== '');
  return {
    title: heading !== '' ? heading.slice(0, LIMITS.title) : titleOf(bare(first?.text ?? '')),
    line: heading !== '' ? artifact.titleLine : (first?.no ?? artifact.titleLine),
    text: text === '' ? heading : text,
    tier,
    mode,
    reasoning,
    criteria: criteriaOf(artifact, lines),
  };
}

/** The words of the task up to its criteria, which stand for themselves. */
function wordsOf(lines: readonly TextLine[]): string {
  const at = lines.findIndex(({ text }) => CRITERIA.test(text));
  return lines
    .slice(0, at === -1 ? lines.length : at)
    .map(({ text }) => text.trim())
    .join('\n')
    .trim()
    .slice(0, LIMITS.sourceText);
}

/** Points under a heading or a line "Acceptance criteria". */
function criteriaOf(artifact: Artifact, lines: readonly TextLine[]): Item[] {
  const section = artifact.sections.find(({ key }) => CRITERIA.test(key));
  if (section) return itemsOf(section.lines);
  const at = lines.findIndex(({ text, fence }) => fence === null && CRITERIA.test(text));
  if (at === -1) return [];
  const rest = lines.slice(at + 1);
  const end = rest.findIndex(({ text }) => TIER.test(text) || MODE.test(text) || REASONING.test(text));
  return itemsOf(end === -1 ? rest : rest.slice(0, end));
}
