import { describe, expect, it } from 'vitest';
import type { CardData, Cite, NoteCard } from '../../shared/cards.ts';
import { codeCard } from './code-card.ts';
import { planText, statCard, verifyPorts, world } from './test-ports.ts';
import type { VerifyPorts } from './verify.ts';
import { verify } from './verify.ts';

const cite = (source: string, line: number | null): Cite => ({
  source,
  label: `${source}.txt`,
  line,
  basis: 'measured',
});
const noteWith = (
  id: string,
  cites: Cite[],
  inlines: NoteCard['body'][number]['inlines'] = [],
): NoteCard => ({
  ...codeCard(id, 'no_points', 'A note'),
  code: null,
  body: [{ kind: 'p', inlines }],
  cites: cites.map((one, index) => ({ id: `E${index + 1}`, cite: one })),
});

/** Ports whose resolver gives this card for every block. */
function giving(make: (id: string) => CardData, more: Partial<VerifyPorts> = {}): VerifyPorts {
  const base = verifyPorts(world());
  return {
    ...base,
    resolver: (options) => ({ ...base.resolver(options), card: async (_block, id) => make(id) }),
    ...more,
  };
}
const input = (text: string) => ({ text, question: 'how?', about: [], signal: new AbortController().signal });
const source = world().profile.sources[0]?.id ?? '';

describe('the second reading', () => {
  it('finds citations that lead nowhere, asking each source as little as it can', async () => {
    const asked: (number | null)[] = [];
    const ports = giving(
      (id) => noteWith(id, [cite(source, 3), cite(source, 90), cite(source, 100), cite('gone', 1)]),
      {
        lineExists: async ({ line }) => {
          asked.push(line);
          return line !== null && line < 100;
        },
      },
    );
    const { cards } = await verify(input(planText(['a'])), ports);
    expect(cards[0]?.doubts).toEqual([`${source}.txt has no line 100`, 'gone.txt has no line 1']);
    expect(asked).toEqual([100, 90]);
  });

  it('finds evidence that was never given', async () => {
    const ports = giving(
      (id) =>
        noteWith(
          id,
          [],
          [
            { kind: 'cite', id: 'E7' },
            { kind: 'quote', id: 'E1', text: 'x' },
          ],
        ),
      {
        collectEvidence: async () => [{ id: 'E1', cite: cite(source, 1), text: 'x' }],
      },
    );
    const { cards } = await verify(input(planText(['a, see E7 and E1'])), ports);
    expect(cards[0]?.doubts).toEqual(['there is no evidence E7']);
  });

  it.each([
    ['names none', 'a', 0],
    ['names a piece', 'see E1', 1],
    ['has code', 'the `exit 1` of it', 1],
    ['hides what it names', 'see \\u0045\\u0031', 1],
  ])('collects evidence only for a plan that can rest on it: one that %s', async (_, title, times) => {
    let collected = 0;
    const ports = giving((id) => statCard(id, 'It took 5 s', 5), {
      collectEvidence: async () => {
        collected += 1;
        return [];
      },
    });
    await verify(input(planText(['a']).replace('"a"', `"${title}"`)), ports);
    expect(collected).toBe(times);
  });

  it('counts what it looked at', async () => {
    const ports = giving((id) => statCard(id, 'It took 5 s', 5));
    const found = await verify(input(planText(['a', 'b'])), ports);
    expect(found).toMatchObject({ figures: 6, passes: 1, code: null, fingerprint: 'f1' });
    expect(found.cards.map(({ id, doubts }) => [id, doubts])).toEqual([
      ['c0', []],
      ['c1', []],
    ]);
  });

  it('tells a title that says a number of its own', async () => {
    const { cards } = await verify(
      input(planText(['a'])),
      giving((id) => statCard(id, 'It took 5 s', 6)),
    );
    // The card has the same words for its title and its label.
    expect(cards[0]?.doubts).toEqual([
      'no fact of this answer supports "5 s"',
      'no fact of this answer supports "5 s"',
    ]);
    expect(cards[0]?.card).toMatchObject({
      title: 'It took 5 s (unverified)',
      figures: [{ label: 'It took 5 s (unverified)' }],
    });
  });

  it('says which blocks it refuses, and why a text is no plan', async () => {
    const ports = verifyPorts(world());
    const odd = planText([], { blocks: [{ type: 'hologram' }] });
    expect((await verify(input(odd), ports)).refused).toEqual([
      { id: 'c0', code: 'block_invalid', reason: 'not its shape' },
    ]);
    expect((await verify(input('half a pl'), ports)).code).toBe('plan_invalid');
    expect((await verify(input('  '), ports)).code).toBe('plan_empty');
  });

  it('closes its own connection, whatever happens', async () => {
    let closed = 0;
    const base = verifyPorts(world());
    const connect = async () => {
      const store = await base.connect();
      const close = async (): Promise<void> => {
        closed += 1;
      };
      return { ...store, close };
    };
    await verify(input(planText([])), { ...base, connect });
    const failing = { ...base, connect, profile: () => Promise.reject(new Error('no record')) };
    await expect(verify(input(planText([])), failing)).rejects.toThrow('no record');
    expect(closed).toBe(2);
  });
});
