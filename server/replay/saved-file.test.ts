import { describe, expect, it } from 'vitest';
import { CATALOG_ID } from '../../shared/catalog.ts';
import { LIMITS } from '../../shared/limits.ts';
import { AnswerTrace } from '../answer/trace.ts';
import { openSaved, ReplayError, readSaved } from './saved-file.ts';

const v = { version: 'v0.9' } as const;
const root = (children: string[]) => ({
  id: 'root',
  component: 'Dashboard',
  children,
  layout: { path: '/layout' },
});

/** A small answer as a file, before anything is done to it. */
function small() {
  const frames: { id: number; ms: number; event: string; data: Record<string, unknown> }[] = [
    {
      id: 1,
      ms: 0,
      event: 'open',
      data: { answerId: 'A1', surfaceId: 'A1', question: 'why?', planner: 'p', title: null },
    },
    {
      id: 2,
      ms: 1,
      event: 'a2ui',
      data: { ...v, createSurface: { surfaceId: 'A1', catalogId: CATALOG_ID } },
    },
    {
      id: 3,
      ms: 2,
      event: 'a2ui',
      data: { ...v, updateDataModel: { surfaceId: 'A1', path: '/cards/c0', value: { title: 'T' } } },
    },
    {
      id: 4,
      ms: 2,
      event: 'a2ui',
      data: {
        ...v,
        updateComponents: {
          surfaceId: 'A1',
          components: [{ id: 'c0', component: 'NoteCard', spec: { path: '/cards/c0' } }, root(['c0'])],
        },
      },
    },
    { id: 5, ms: 9, event: 'done', data: { events: 5, cards: 1, ok: true, code: null, ms: 9 } },
  ];
  const trace = new AnswerTrace('A1').trace((text) => text);
  return { format: 'looplight-answer', version: 1, trace, frames };
}
type Small = ReturnType<typeof small>;

const message = (text: string): string => {
  try {
    readSaved(text);
  } catch (error) {
    if (error instanceof ReplayError) return error.message;
    throw error;
  }
  return '';
};
const changed = (change: (file: Small) => void): string => {
  const file = small();
  change(file);
  return message(JSON.stringify(file));
};
const at = (file: Small, index: number) => {
  const frame = file.frames[index];
  if (frame === undefined) throw new Error('no such frame');
  return frame;
};

describe('the file of a saved answer', () => {
  it('is read when everything in it is in order, and its data stays as it was written', () => {
    const text = JSON.stringify(small());
    const read = readSaved(text);
    expect(read).toMatchObject({ id: 'A1', question: 'why?' });
    expect(JSON.stringify(read.events.map(({ event }) => event.data))).toBe(
      JSON.stringify(small().frames.map(({ data }) => data)),
    );
    expect(message(JSON.stringify(read.saved))).toBe('');
  });

  it.each<[string, (file: Small) => void]>([
    ['a missing event', (file) => file.frames.splice(2, 1)],
    ['an event twice', (file) => file.frames.splice(2, 0, at(file, 2))],
    ['time that runs back', (file) => Object.assign(at(file, 3), { ms: 0.5 })],
    ['an endless wait', (file) => Object.assign(at(file, 4), { ms: 1e15 })],
    ['no end', (file) => file.frames.pop()],
    ['another end', (file) => Object.assign(at(file, 4).data, { events: 7 })],
    ['two openings', (file) => file.frames.splice(1, 1, { ...at(file, 0), id: 2 })],
    ['an event of another kind', (file) => Object.assign(at(file, 2), { event: 'redirect' })],
    ['a key nobody sends', (file) => Object.assign(at(file, 0).data, { html: '<b>' })],
    ['the mark of a replay', (file) => Object.assign(at(file, 0).data, { replay: 'x' })],
    ['an id that leaves its address', (file) => Object.assign(at(file, 0).data, { answerId: '../../x' })],
    ['another answer in its trace', (file) => Object.assign(file.trace, { answerId: 'B2' })],
    ['another version', (file) => Object.assign(file, { version: 2 })],
    [
      'a component of another catalog',
      (file) =>
        Object.assign(at(file, 3).data, {
          updateComponents: {
            surfaceId: 'A1',
            components: [{ id: 'c0', component: 'Html', spec: { path: '/cards/c0' } }, root(['c0'])],
          },
        }),
    ],
    [
      'a binding beside the cards',
      (file) =>
        Object.assign(at(file, 2).data, { updateDataModel: { surfaceId: 'A1', path: '/', value: 1 } }),
    ],
    [
      'a surface of its own',
      (file) =>
        Object.assign(at(file, 2).data, {
          updateDataModel: { surfaceId: 'B', path: '/cards/c0', value: 1 },
        }),
    ],
    [
      'a surface that is deleted',
      (file) => Object.assign(at(file, 2), { data: { ...v, deleteSurface: {} } }),
    ],
    [
      'a root that holds itself',
      (file) =>
        Object.assign(at(file, 3).data, {
          updateComponents: { surfaceId: 'A1', components: [root(['root'])] },
        }),
    ],
    [
      'a message beyond its bytes',
      (file) =>
        Object.assign(at(file, 2).data, {
          updateDataModel: { surfaceId: 'A1', path: '/cards/c0', value: 'x'.repeat(LIMITS.envelopeBytes) },
        }),
    ],
  ])('is refused with %s', (_what, change) => {
    expect(changed(change)).toMatch(/^(?:Event \d|The file )/);
  });

  it('is refused when it reaches for a prototype, or is nested without end', () => {
    const text = JSON.stringify(small());
    expect(message(text.replace('{"title":"T"}', '{"__proto__":{"a":1}}'))).toContain('Event 3');
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(message(text.replace('{"title":"T"}', deep))).toContain('Event 3');
    expect(message(text.replace('"trace":{', `"trace":{"more":${deep},`))).toContain('no answer');
    expect(message(text.replace('"trace":{', '"trace":{"__proto__":{},'))).toContain('no answer');
  });

  it('is refused when it is no such file at all, without repeating what is in it', () => {
    for (const text of [
      '',
      'secret words',
      '[]',
      'null',
      '{"format":"secret words"}',
      '{"secret words":1}',
    ]) {
      expect(message(text)).toContain('The file is no');
      expect(message(text)).not.toContain('secret');
    }
  });

  it('that is not there or a folder is said so', async () => {
    await expect(openSaved('/nowhere/at/all.json')).rejects.toThrow('cannot be read');
    await expect(openSaved('/')).rejects.toThrow(ReplayError);
  });
});
