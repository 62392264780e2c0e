import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceInput } from '../adapter.ts';
import { sectionKey } from './contract.ts';

/** One line of an artifact that is no comment. */
export interface TextLine {
  no: number;
  text: string;
  /** Inside a fenced block, without the fences. */
  fence: number | null;
}

export interface Section {
  heading: string;
  /** The heading as compared (contract.ts). */
  key: string;
  line: number;
  lines: TextLine[];
}

/** One artifact: what stands before the first section, and its sections in order. */
export interface Artifact {
  title: string | null;
  titleLine: number | null;
  intro: TextLine[];
  sections: Section[];
  lines: number;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.{0,300})$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Takes the HTML comments out of the lines of a text. Inside a fenced block nothing is a comment: a command or its output
 * may hold the same characters.
 */
class Comments {
  #open = false;
  get open(): boolean {
    return this.#open;
  }
  strip(text: string): string {
    let out = '';
    let at = 0;
    // Bounded: each turn moves `at` forward.
    while (at < text.length) {
      if (this.#open) {
        const end = text.indexOf('-->', at);
        if (end === -1) return out;
        this.#open = false;
        at = end + 3;
      } else {
        const start = text.indexOf('<!--', at);
        if (start === -1) return out + text.slice(at);
        out += text.slice(at, start);
        this.#open = true;
        at = start + 4;
      }
    }
    return out;
  }
}

/**
 * Reads one artifact. Sections begin at headings of the second level; deeper headings belong to the text of their section.
 * A comment that never ends hides the rest of the file, which is reported.
 */
export async function readArtifact(source: Pick<SourceInput, 'lines' | 'issue'>): Promise<Artifact> {
  const artifact: Artifact = { title: null, titleLine: null, intro: [], sections: [], lines: 0 };
  const comments = new Comments();
  let commentLine: number | null = null;
  let size = 0;
  let fence: { mark: string; no: number } | null = null;
  let into = artifact.intro;
  for await (const { no, text: raw } of source.lines()) {
    size += raw.length;
    if (no > LIMITS.sourceEntries || size > LIMITS.fileBytes) {
      source.issue(
        'too_many_entries',
        'warning',
        no,
        'The file is very long, so only what stands above this line was read.',
      );
      break;
    }
    artifact.lines = no;
    if (fence) {
      const close = FENCE.exec(raw)?.[1];
      if (close?.startsWith(fence.mark) && raw.trim() === close) fence = null;
      else into.push({ no, text: raw, fence: fence.no });
      continue;
    }
    const before = comments.open;
    const text = comments.strip(raw);
    if (!before && comments.open) commentLine = no;
    const mark = FENCE.exec(text)?.[1];
    if (mark) {
      fence = { mark, no };
      continue;
    }
    const heading = HEADING.exec(text);
    const level = heading?.[1]?.length ?? 0;
    const name = (heading?.[2] ?? '').replace(/[ \t]#{1,6}$/, '').trim();
    if (level === 1 && artifact.title === null && artifact.sections.length === 0) {
      artifact.title = name;
      artifact.titleLine = no;
    } else if (level === 1 || level === 2) {
      const section: Section = { heading: name, key: sectionKey(name), line: no, lines: [] };
      artifact.sections.push(section);
      into = section.lines;
    } else into.push({ no, text, fence: null });
  }
  if (comments.open)
    source.issue(
      'unknown_shape',
      'warning',
      commentLine,
      'A comment begins here and never ends, so the rest of the file was taken for a comment.',
    );
  return artifact;
}

/** The first section of that name, or null. */
export const sectionOf = (artifact: Artifact, name: string): Section | null =>
  artifact.sections.find((section) => section.key === sectionKey(name)) ?? null;

/** Whether anything stands in it. */
export const filled = (lines: readonly TextLine[]): boolean => lines.some(({ text }) => text.trim() !== '');

/** Text of lines, without empty ones at its ends, bounded. */
export const textOf = (lines: readonly TextLine[]): string =>
  lines
    .map(({ text }) => text.trimEnd())
    .join('\n')
    .trim()
    .slice(0, LIMITS.sourceText);

export interface Item {
  line: number;
  lastLine: number;
  text: string;
  /** A box before the text: ticked, empty, or none. */
  ticked: boolean | null;
}

const ITEM = /^ {0,3}(?:[-*+]|\d{1,4}[.)])[ \t]+(\S.*)$/;
const BOX = /^\[([ xX])\][ \t]+(.*)$/;

/** Points of a list; a line that goes on below belongs to the point above it. Text without any list gives no points. */
export function itemsOf(lines: readonly TextLine[]): Item[] {
  const items: Item[] = [];
  let open = false;
  for (const { no, text, fence } of lines) {
    if (fence !== null) continue;
    const found = ITEM.exec(text)?.[1];
    const last = items.at(-1);
    if (found !== undefined) {
      const box = BOX.exec(found);
      items.push({
        line: no,
        lastLine: no,
        text: (box?.[2] ?? found).trim().slice(0, LIMITS.sourceText),
        ticked: box ? box[1] !== ' ' : null,
      });
      open = true;
    } else if (text.trim() === '') open = false;
    else if (open && last && last.text.length < LIMITS.sourceText) {
      last.text = `${last.text} ${text.trim()}`.slice(0, LIMITS.sourceText);
      last.lastLine = no;
    }
  }
  return items;
}

/** Fenced blocks in order: where each begins, and its lines. */
export function fencesOf(lines: readonly TextLine[]): { line: number; lines: string[] }[] {
  const fences = new Map<number, string[]>();
  for (const { fence, text } of lines) {
    if (fence === null) continue;
    const block = fences.get(fence);
    if (block) block.push(text);
    else fences.set(fence, [text]);
  }
  return [...fences].map(([line, texts]) => ({ line, lines: texts }));
}

/** Text without the marks of emphasis and code around it. */
export const bare = (text: string): string => text.replace(/[*_`]{1,3}/g, '').trim();

/** "None", "nothing", "n/a", a dash: words that say that there is nothing to say. */
export const saysNone = (text: string): boolean => /^(?:none|nothing|no|n\/a|-|–|—)\.?$/i.test(bare(text));
