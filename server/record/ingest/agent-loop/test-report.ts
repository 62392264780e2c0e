import { LIMITS } from '../../../../shared/limits.ts';
import { type CheckOutput, outputOf } from './check-output.ts';
import {
  type Artifact,
  filled,
  type Item,
  itemsOf,
  type Section,
  saysNone,
  sectionOf,
  type TextLine,
  textOf,
} from './markdown.ts';
import type { Said } from './task.ts';

/** `test-report.md`: the verifier's own file, written new at each pass, so only its last word is there. */
export interface TestReport {
  line: number;
  verdict: { line: number; exact: 'PASS' | 'FAIL' | null; text: string } | null;
  findings: Item[];
  notVerified: Item[];
  evidenceLine: number | null;
  /** Lines of evidence as compared with a command. */
  evidence: string[];
  /** Commands shown to have been run. */
  commands: Said<string>[];
  output: CheckOutput;
  /** Where the evidence rests on what the implementer or debugger wrote and not on something that was run. */
  secondHand: Said<string> | null;
  escalation: Section | null;
}

/** The verifier sees the task, the plan and the code, and what its own commands print; not the implementer's word. */
const SECOND_HAND =
  /\bimplementation\.md\b|\b(?:according to|as reported by|as stated by|per) the (?:implementer|debugger)\b|\bthe (?:implementer|debugger) (?:says|said|reports|reported|states|stated|confirms|confirmed|claims|claimed|noted|ran|showed)\b/i;

/** Lines as compared: one space between words, no prompt before a command. */
export const comparable = (text: string): string =>
  text
    .replace(/^\s*\$\s+/, '')
    .replace(/\s+/g, ' ')
    .trim();

export function readTestReport(artifact: Artifact): TestReport {
  const evidence = sectionOf(artifact, 'Evidence');
  const lines = evidence?.lines ?? [];
  const second = lines.find(({ text }) => SECOND_HAND.test(text.slice(0, LIMITS.sourceText)));
  return {
    line: artifact.titleLine ?? 1,
    verdict: verdictOf(sectionOf(artifact, 'Verdict')),
    findings: pointsOf(sectionOf(artifact, 'Findings')),
    notVerified: pointsOf(sectionOf(artifact, 'Not verified')),
    evidenceLine: evidence?.line ?? null,
    evidence: lines.map(({ text }) => comparable(text)),
    commands: commandsOf(lines),
    output: outputOf(lines),
    secondHand: second ? { value: second.text.trim().slice(0, LIMITS.cellText), line: second.no } : null,
    escalation: artifact.sections.find(({ key }) => key.startsWith('escalation')) ?? null,
  };
}

/** Exactly PASS or FAIL means that nothing else stands there, not even a mark of emphasis. */
function verdictOf(section: Section | null): TestReport['verdict'] {
  if (!section) return null;
  const said = section.lines.filter(({ text }) => text.trim() !== '');
  const word = said.length === 1 && said[0]?.fence === null ? said[0].text.trim() : '';
  return {
    line: said[0]?.no ?? section.line,
    exact: word === 'PASS' || word === 'FAIL' ? word : null,
    text: textOf(said),
  };
}

/** Points of a section, or its paragraph as one; "none" is none. */
function pointsOf(section: Section | null): Item[] {
  if (!section || !filled(section.lines)) return [];
  const items = itemsOf(section.lines);
  const first = section.lines.find(({ text }) => text.trim() !== '');
  const all =
    items.length > 0 || !first
      ? items
      : [{ line: first.no, lastLine: first.no, text: textOf(section.lines), ticked: null }];
  return all.filter(({ text }) => !saysNone(text)).slice(0, LIMITS.sourceIssues);
}

/** `$ command` in a fenced block or on a line of its own. */
const commandsOf = (lines: readonly TextLine[]): Said<string>[] =>
  lines.flatMap(({ text, no }) => {
    const command = /^\s{0,12}\$ +(\S.*)$/.exec(text)?.[1];
    return command === undefined ? [] : [{ value: comparable(command).slice(0, LIMITS.cellText), line: no }];
  });
