import { LIMITS } from '../../../../shared/limits.ts';
import type { SourceInput } from '../adapter.ts';
import {
  type Artifact,
  filled,
  type Item,
  itemsOf,
  type Section,
  saysNone,
  sectionOf,
  textOf,
} from './markdown.ts';
import { type FileWord, filesOf } from './plan.ts';

/** One time the debugger had to step in. */
export interface DebugIteration {
  /** Its place in the file, from 1; what the heading says may differ. */
  n: number;
  line: number;
  lastLine: number;
  rootCause: string | null;
  rootCauseLine: number | null;
  fix: string | null;
  evidence: string | null;
}

/** `implementation.md`: what was changed, and what the debugger appended. */
export interface Implementation {
  line: number;
  changed: Item[];
  files: FileWord[];
  /** What was done otherwise than planned; none when it says so or says nothing. */
  deviations: Item[];
  iterations: DebugIteration[];
  escalation: Section | null;
}

const ITERATION = /^debug iteration\b(?: (\d{1,4}))?/;
const FIELD = /^\W{0,4}(root cause|fix|evidence)\W{0,4}:\W{0,4}(.*)$/i;

export function readImplementation(artifact: Artifact, source: Pick<SourceInput, 'issue'>): Implementation {
  const section = (name: string) => sectionOf(artifact, name);
  const changed = itemsOf(section('What changed')?.lines ?? []);
  return {
    line: section('What changed')?.line ?? artifact.titleLine ?? 1,
    changed,
    files: filesOf(changed),
    deviations: deviationsOf(section('Deviations from plan')),
    iterations: iterationsOf(artifact, source),
    escalation: artifact.sections.find(({ key }) => key.startsWith('escalation')) ?? null,
  };
}

/** Points of the section, or its text as one; "none" is none. */
function deviationsOf(section: Section | null): Item[] {
  if (!section || !filled(section.lines)) return [];
  const items = itemsOf(section.lines);
  const first = section.lines.find(({ text }) => text.trim() !== '');
  const all =
    items.length > 0 || !first
      ? items
      : [{ line: first.no, lastLine: first.no, text: textOf(section.lines), ticked: null }];
  return all.filter(({ text }) => !saysNone(text));
}

function iterationsOf(artifact: Artifact, source: Pick<SourceInput, 'issue'>): DebugIteration[] {
  const found = artifact.sections.filter(({ key }) => ITERATION.test(key));
  const numbers = found.map(({ key }) => ITERATION.exec(key)?.[1]);
  if (numbers.some((text, i) => text === undefined || Number(text) !== i + 1))
    source.issue(
      'out_of_range',
      'warning',
      found[0]?.line ?? null,
      `Debug iterations are numbered ${numbers.map((text) => text ?? 'not').join(', ')}; they were counted in the order of the file.`,
    );
  return found.slice(0, LIMITS.sourceIssues).map((section, i) => iterationOf(section, i + 1));
}

function iterationOf(section: Section, n: number): DebugIteration {
  const parts = new Map<string, string>();
  let rootCauseLine: number | null = null;
  let open: string | null = null;
  for (const { no, text, fence } of section.lines) {
    const field = fence === null ? FIELD.exec(text) : null;
    if (field) {
      open = (field[1] ?? '').toLowerCase();
      if (open === 'root cause') rootCauseLine = no;
      parts.set(open, (field[2] ?? '').trim());
    } else if (open !== null && text.trim() !== '')
      parts.set(open, `${parts.get(open) ?? ''} ${text.trim()}`.trim().slice(0, LIMITS.sourceText));
  }
  const part = (name: string): string | null => parts.get(name)?.slice(0, LIMITS.sourceText) || null;
  return {
    n,
    line: section.line,
    lastLine: section.lines.findLast(({ text }) => text.trim() !== '')?.no ?? section.line,
    rootCause: part('root cause'),
    rootCauseLine,
    fix: part('fix'),
    evidence: part('evidence'),
  };
}
