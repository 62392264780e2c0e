import type { ReactNode } from 'react';
import type { Evidence } from '../../../../shared/wire.ts';
import { BasisTag } from '../../cards/basis.tsx';

type Raw = Evidence['raw'][number];
type Line = Raw['lines'][number];

/** "a.txt:71", "a.json:1417–1429": the source with its cited lines. */
function heading(raw: Raw): string {
  const cited = raw.lines.filter((line) => line.cited && line.line > 0).map((line) => line.line);
  const [first, last] = [cited[0], cited.at(-1)];
  if (first === undefined || last === undefined) return raw.source;
  return first === last ? `${raw.source}:${first}` : `${raw.source}:${first}–${last}`;
}

/** The lines of the sources as they stand in the files; the cited ones are marked. Shown as text, whatever they hold. */
export function RawLines({ raw }: { raw: readonly Raw[] }): ReactNode {
  if (raw.length === 0) return null;
  return (
    <section>
      <h3>Sources</h3>
      {raw.map((source) => (
        <div className="raw" key={`${source.sourceId} ${heading(source)}`}>
          <header>
            <span className="mono">{heading(source)}</span>
            <BasisTag basis={source.basis} />
          </header>
          <ol>
            {source.lines.map((line, index) => (
              <RawLine
                key={line.line}
                line={line}
                before={source.lines[index - 1]}
                claimed={source.basis === 'claimed'}
              />
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

/** Text with the words a browser would break inside (at a hyphen or a slash) held together. */
const words = (text: string): ReactNode[] =>
  text.split(/(\s+)/).map((word, index) => {
    const key = `${index} ${word}`;
    return /[-/?]/.test(word) ? (
      <span key={key} className="word">
        {word}
      </span>
    ) : (
      word
    );
  });

function RawLine({
  line,
  before,
  claimed,
}: {
  line: Line;
  before: Line | undefined;
  claimed: boolean;
}): ReactNode {
  const gap = before !== undefined && line.line > before.line + 1;
  return (
    <>
      {gap ? <li className="gap" aria-hidden="true" /> : null}
      <li className={line.cited ? (claimed ? 'hc' : 'h') : undefined}>
        <i>{line.line > 0 ? line.line : ''}</i>
        <span>
          {line.cited ? <span className="vh">cited: </span> : null}
          {words(line.text)}
        </span>
      </li>
    </>
  );
}
