/** One piece of a text. Tokens follow each other without gaps. */
export interface Token {
  /** `odd`: a numeral of a kind that is not read, such as a Roman one. `group`: a space that may stand between digits. */
  kind: 'word' | 'digits' | 'vulgar' | 'odd' | 'space' | 'group' | 'sign';
  text: string;
  start: number;
  end: number;
}

const TOKEN =
  /(?<word>\p{L}+)|(?<digits>[0-9]+)|(?<group>\u00a0)|(?<space>\s+)|(?<vulgar>[\u00bc-\u00be\u2150-\u215e])|(?<odd>\p{N})|(?<sign>.)/gsu;

const KINDS = ['word', 'digits', 'group', 'space', 'vulgar', 'odd', 'sign'] as const;

/** Cuts a plain text into tokens, in time in proportion to it. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const kind = KINDS.find((one) => match.groups?.[one] !== undefined) ?? 'sign';
    tokens.push({ kind, text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

/** Value of a vulgar fraction character, or null. */
export function vulgarValue(character: string): number | null {
  const [over, under] = character.normalize('NFKC').split('\u2044').map(Number);
  return over !== undefined && under !== undefined && under > 0 ? over / under : null;
}
