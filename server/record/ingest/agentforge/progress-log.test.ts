import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../shared/limits.ts';
import { readProgressLog } from './test-readings.ts';

const HEAD = '# Clockwork Progress — Night Run 2026-01-02 10:00\n\n';
const passed = (id: number, at = '2026-01-02T10:05:00-0700', attempts = 1): string =>
  `=== Feature #${id} PASSED (score: 9/10, ${attempts} attempts, 120s) — ${at} ===\n\n`;

describe('readProgressLog', () => {
  it('bounds the notes of one planning pass and of all, and says so', () => {
    const planning = `=== PLANNING PASS [2026-01-02T10:20:00-0700] ===\n${'#1-#51 not begun at all\n'.repeat(30)}`;
    const count = (text: string): number =>
      readProgressLog(text).events.filter((event) => event.kind === 'planning_note').length;
    expect(count(planning)).toBe(LIMITS.passNotes);
    expect(readProgressLog(planning).issues).toMatchObject([{ code: 'too_many_entries', line: 1 }]);
    const passes = LIMITS.planningNotes / LIMITS.passNotes + 2;
    expect(count(planning.repeat(passes))).toBe(LIMITS.planningNotes);
  });

  it('reads an accepted feature as measured', () => {
    const reading = readProgressLog(HEAD + passed(4));
    expect(reading.entries).toHaveLength(1);
    expect(
      reading.entries[0]?.facts.map((one) => [one.fact, one.value ?? one.text, one.basis, one.line]),
    ).toEqual([
      ['status', 'accepted', 'measured', 3],
      ['score', 9, 'measured', 3],
      ['attempts', 1, 'measured', 3],
      ['build_time', 120, 'measured', 3],
      ['completed_at', Date.UTC(2026, 0, 2, 17, 5), 'measured', 3],
    ]);
    expect(reading.entries[0]?.attempts).toMatchObject([{ n: 1, score: 9, durationS: 120, passed: true }]);
  });

  it('does not make up the attempts it only counts', () => {
    const entry = readProgressLog(passed(4, undefined, 3)).entries[0];
    expect(entry?.attempts).toEqual([]);
    expect(entry?.facts.find((one) => one.fact === 'attempts')?.value).toBe(3);
  });

  it('reads the title as the start of the run, in the zone of the other times', () => {
    const reading = readProgressLog(HEAD + passed(4));
    expect(reading.markers).toEqual([
      {
        kind: 'title',
        atMs: Date.UTC(2026, 0, 2, 17, 0),
        zone: '-07:00',
        name: 'Night Run 2026-01-02 10:00',
        line: 1,
      },
    ]);
    expect(reading.issues).toMatchObject([{ code: 'time_without_zone', severity: 'info', line: 1 }]);
  });

  it('reads a planning pass as one event, and what it says of single features as others', () => {
    const text = `${HEAD}=== PLANNING PASS [2026-01-02 10:20:00 -0700] ===
Build status: PASSING

# not a title
- State: #5 half done (no hands), #6-#7 not begun

${passed(5, '2026-01-02T10:30:00-0700')}`;
    const events = readProgressLog(text).events;
    expect(events[0]).toMatchObject({
      kind: 'planning_pass',
      line: 3,
      lastLine: 7,
      atMs: Date.UTC(2026, 0, 2, 17, 20),
    });
    expect(
      events
        .filter((event) => event.kind === 'planning_note')
        .map((event) => [event.feature, event.message, event.line]),
    ).toEqual([
      ['5', 'half done (no hands)', 7],
      ['6', 'not begun', 7],
      ['7', 'not begun', 7],
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'accepted', feature: '5' });
  });

  it('reads CRLF like LF', () => {
    const text = HEAD + passed(4) + passed(5);
    const lf = readProgressLog(text);
    expect(readProgressLog(text.replaceAll('\n', '\r\n'))).toEqual(lf);
  });

  it('leaves out a last line that breaks off, wherever it does', () => {
    const last = passed(5).trim();
    for (let cut = 4; cut < last.length; cut += 1) {
      const reading = readProgressLog(HEAD + passed(4) + last.slice(0, cut));
      expect(reading.entries.map((entry) => entry.feature)).toEqual(['4']);
      expect(reading.issues).toContainEqual(expect.objectContaining({ code: 'line_cut', line: 5 }));
    }
    expect(readProgressLog(HEAD + passed(4) + last).entries).toHaveLength(2);
  });

  it('reports headings it does not know, scores above ten, and times without a zone', () => {
    const reading = readProgressLog(
      `=== Feature #1 EXPLODED ===\n=== Feature #2 PASSED (score: 11/10, 1 attempts, 5s) — 2026-01-02T10:00:00 ===\n=== Feature #3 PASSED (score: 9/10, 1 attempts, 5s) — soon ===\n`,
    );
    expect(reading.issues.map((issue) => [issue.code, issue.line])).toEqual([
      ['unknown_line', 1],
      ['time_without_zone', 2],
      ['out_of_range', 2],
      ['time_invalid', 3],
    ]);
    expect(reading.entries.map((entry) => [entry.feature, entry.atMs])).toEqual([
      ['2', null],
      ['3', null],
    ]);
  });

  it('gives nothing for nothing', () => {
    expect(readProgressLog('')).toMatchObject({ entries: [], events: [], issues: [] });
  });
});
