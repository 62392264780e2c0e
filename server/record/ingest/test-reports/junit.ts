import { SaxesParser } from 'saxes';
import { LIMITS } from '../../../../shared/limits.ts';
import type { Issues } from '../issue.ts';
import { readTime } from '../time.ts';
import { commitOf, dirtyOf } from './commit.ts';
import { junitCase, type OpenCase } from './junit-case.ts';
import type { Report } from './report.ts';
import { annotatedRefs, isRequirementName, type RequirementRef } from './requirement-refs.ts';

/**
 * JUnit XML as written by many runners: `<testsuites><testsuite name tests failures errors skipped time timestamp>
 * <properties/><testcase classname name time file><failure|error|skipped|rerunFailure|flakyFailure|properties/></testcase>`.
 * There is no standard: totals may be missing or wrong, so cases are counted; suites may lie in suites.
 */
interface OpenSuite {
  name: string;
  file: string | null;
  line: number;
  attributes: Readonly<Record<string, string>>;
  refs: RequirementRef[];
  counted: { tests: number; failures: number; errors: number };
}

/** Thrown to stop at the first place that is no XML; what was complete before it is kept. */
class Stop extends Error {}

/** Seconds as written, with a comma between thousands or before the fraction, in milliseconds. */
export function milliseconds(text: string | undefined): number | null {
  if (text === undefined) return null;
  const plain = text.trim();
  const number = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(plain)
    ? plain.replaceAll(',', '')
    : plain.replace(/^(\d+),(\d+)$/, '$1.$2');
  if (!/^\d{1,12}(?:\.\d{1,15})?(?:[eE]-?\d{1,2})?$/.test(number)) return null;
  return Math.round(Number(number) * 1_000_000) / 1_000;
}

const OUTCOMES = new Set([
  'failure',
  'error',
  'skipped',
  'rerunfailure',
  'rerunerror',
  'flakyfailure',
  'flakyerror',
]);

class JUnitReader {
  readonly report: Report = {
    framework: 'junit',
    commit: null,
    line: 1,
    dirty: null,
    startedMs: null,
    zone: null,
    durationMs: null,
    cases: [],
    fatal: [],
  };
  readonly #parser = new SaxesParser({ xmlns: false, position: true } as const);
  readonly #suites: OpenSuite[] = [];
  #case: OpenCase | null = null;
  #depth = 0;
  #line = 1;
  #root: string | null = null;
  #text: string[] = [];
  #textLength = 0;
  #suiteTimes: number[] = [];
  #broken: { message: string; line: number } | null = null;
  #timed: { ms: number; zone: string | null }[] = [];
  #unzoned: number | null = null;

  constructor(readonly issues: Issues) {
    const parser = this.#parser;
    parser.on('opentagstart', () => {
      this.#line = parser.line;
    });
    parser.on('opentag', ({ name, attributes }) => this.#open(name, attributes));
    parser.on('closetag', ({ name }) => this.#close(name));
    parser.on('text', (text) => this.#keep(text));
    parser.on('cdata', (text) => this.#keep(text));
    parser.on('error', (error) => {
      this.#broken = { message: error.message, line: parser.line };
      throw new Stop();
    });
  }

  read(text: string): void {
    try {
      this.#parser.write(text).close();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    if (this.#broken) {
      const cut =
        this.#broken.message.includes('unclosed tag') || this.#broken.message.includes('unexpected end');
      const n = this.report.cases.length;
      this.issues.add(
        cut ? 'xml_cut' : 'xml_invalid',
        'error',
        this.#broken.line,
        `${cut ? 'The file ends in the middle.' : 'From this line on the file is not XML.'} What is complete before it was read: ${n} ${n === 1 ? 'case' : 'cases'}.`,
      );
    }
    this.#finish();
  }

  #keep(text: string): void {
    if (this.#textLength >= LIMITS.sourceText) return;
    this.#text.push(text.slice(0, LIMITS.sourceText - this.#textLength));
    this.#textLength += text.length;
  }

  #open(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth > LIMITS.sourceDepth) {
      this.#broken = { message: 'nested too deep', line: this.#line };
      throw new Stop();
    }
    const name = tag.toLowerCase();
    this.#root ??= name;
    this.#text = [];
    this.#textLength = 0;
    if (name === 'testsuites') this.#whole(attributes);
    else if (name === 'testsuite') this.#suite(attributes);
    else if (name === 'testcase') this.#begin(attributes);
    else if (name === 'property') this.#property(attributes.name ?? '', attributes.value ?? null);
    else if (OUTCOMES.has(name)) this.#outcome(name, attributes);
  }

  #whole(attributes: Readonly<Record<string, string>>): void {
    this.#frameworkOf(attributes.name ?? '');
    this.#time(attributes.timestamp);
    this.report.durationMs = milliseconds(attributes.time);
  }

  #frameworkOf(name: string): void {
    const known = /^(vitest|jest|pytest|playwright|mocha|cypress|phpunit)\b/i.exec(name)?.[1];
    if (known && this.report.framework === 'junit') this.report.framework = known.toLowerCase();
  }

  #time(text: string | undefined): void {
    if (text === undefined || text.trim() === '') return;
    const time = readTime(text);
    if (time === null)
      this.issues.add(
        'time_invalid',
        'warning',
        this.#line,
        'The timestamp of a suite is not a time that can be read.',
      );
    else {
      this.#timed.push(time);
      if (time.zone === null) this.#unzoned ??= this.#line;
    }
  }

  #suite(attributes: Readonly<Record<string, string>>): void {
    this.#frameworkOf(attributes.name ?? '');
    this.#time(attributes.timestamp);
    const ms = milliseconds(attributes.time);
    if (ms !== null && this.#suites.length === 0) this.#suiteTimes.push(ms);
    this.#suites.push({
      name: attributes.name ?? '',
      file: attributes.file ?? null,
      line: this.#line,
      attributes,
      refs: [],
      counted: { tests: 0, failures: 0, errors: 0 },
    });
  }

  #begin(attributes: Readonly<Record<string, string>>): void {
    const suite = this.#suites.at(-1);
    this.#case = {
      name: attributes.name ?? '',
      classname: attributes.classname ?? null,
      file: attributes.file ?? suite?.file ?? null,
      suite: suite?.name ?? null,
      durationMs: milliseconds(attributes.time),
      line: this.#line,
      outcomes: [],
      properties: [],
      refs: this.#suites.flatMap(({ refs }) => refs),
    };
  }

  #outcome(kind: string, attributes: Readonly<Record<string, string>>): void {
    const outcome = {
      kind,
      message: attributes.message ?? '',
      type: attributes.type ?? '',
      text: '',
      line: this.#line,
    };
    if (this.#case) this.#case.outcomes.push(outcome);
    else if (kind === 'error' || kind === 'failure')
      this.report.fatal.push({ message: outcome.message, line: this.#line });
  }

  #property(name: string, value: string | null): void {
    if (this.#case) {
      if (this.#case.properties.length < LIMITS.sourceIssues)
        this.#case.properties.push({ name, value: value ?? '' });
      return;
    }
    const text = value ?? '';
    const sha = commitOf(name, text);
    if (sha !== null && this.report.commit === null) {
      this.report.commit = sha;
      this.report.line = this.#line;
    }
    this.report.dirty ??= dirtyOf(name, text);
    if (isRequirementName(name)) this.#suites.at(-1)?.refs.push(...annotatedRefs(text));
  }

  #close(tag: string): void {
    this.#depth -= 1;
    const name = tag.toLowerCase();
    const text = this.#text.join('');
    if (OUTCOMES.has(name)) {
      const outcome = this.#case?.outcomes.at(-1);
      if (outcome) outcome.text = text;
      const fatal = this.report.fatal.at(-1);
      if (!this.#case && fatal?.message === '') fatal.message = text.trim();
    } else if (name === 'property' && this.#case) {
      const property = this.#case.properties.at(-1);
      if (property?.value === '') property.value = text.trim();
    } else if (name === 'testcase' && this.#case) {
      this.#end(this.#case);
      this.#case = null;
    } else if (name === 'testsuite') {
      const suite = this.#suites.pop();
      if (suite) this.#compare(suite);
    }
    // What follows an inner element is text of the outer one's own.
    this.#text = [];
    this.#textLength = 0;
  }

  #end(open: OpenCase): void {
    for (const { counted } of this.#suites) {
      counted.tests += 1;
      if (open.outcomes.some(({ kind }) => kind === 'failure')) counted.failures += 1;
      if (open.outcomes.some(({ kind }) => kind === 'error')) counted.errors += 1;
    }
    if (this.report.cases.length < LIMITS.sourceEntries) this.report.cases.push(junitCase(open));
    else if (this.report.cases.length === LIMITS.sourceEntries)
      this.issues.add(
        'too_many_entries',
        'warning',
        open.line,
        `Only the first ${LIMITS.sourceEntries} cases were read.`,
      );
  }

  /** Says where the totals of a suite are not what it lists. A suite without totals says nothing. */
  #compare({ name, attributes, counted, line }: OpenSuite): void {
    for (const key of ['tests', 'failures', 'errors'] as const) {
      const told = attributes[key]?.trim() ?? '';
      if (!/^\d{1,9}$/.test(told) || Number(told) === counted[key]) continue;
      this.issues.add(
        'totals_differ',
        'warning',
        line,
        `The suite ${name.slice(0, LIMITS.label)} says ${told} ${key} and lists ${counted[key]}; what it lists was counted.`,
      );
    }
  }

  #finish(): void {
    if (this.#root !== null && this.#root !== 'testsuites' && this.#root !== 'testsuite')
      this.issues.add('unknown_shape', 'error', 1, 'This is XML, but no JUnit report.');
    if (this.#unzoned !== null)
      this.issues.add(
        'time_without_zone',
        'warning',
        this.#unzoned,
        'Timestamps have no time zone; they were read as UTC.',
      );
    const [first] = [...this.#timed].sort((a, b) => a.ms - b.ms);
    this.report.startedMs = first?.ms ?? null;
    this.report.zone = first?.zone ?? null;
    if (this.report.durationMs === null && this.#suiteTimes.length > 0)
      this.report.durationMs = this.#suiteTimes.reduce((sum, ms) => sum + ms, 0);
  }
}

/** Reads a JUnit report. Never throws for what the text holds; entities of a document type are not expanded. */
export function readJUnit(text: string, issues: Issues): Report {
  const reader = new JUnitReader(issues);
  reader.read(text);
  return reader.report;
}
