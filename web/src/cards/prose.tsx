import { Fragment, type ReactNode } from 'react';
import type { Inline, Paragraph } from '../../../shared/cards.ts';
import type { CardChrome } from '../a2ui/types.ts';
import { figureHash } from '../lib/figure-hash.ts';
import { FigureText } from './figure.tsx';
import { glue } from './glue.ts';
import { keyed } from './keyed.ts';
import { Shape } from './shape.tsx';

interface ProseProps {
  paragraphs: readonly Paragraph[];
  chrome: Pick<CardChrome, 'openFigure'>;
  /** Shows the evidence of a citation; without it a citation is plain text. */
  onCite?: (id: string) => void;
}

/** Paragraphs, with list items that follow each other gathered into one list. */
type Group = { kind: 'p' | 'pre'; paragraph: Paragraph } | { kind: 'ul'; items: Paragraph[] };

function grouped(paragraphs: readonly Paragraph[]): Group[] {
  const groups: Group[] = [];
  for (const paragraph of paragraphs) {
    const last = groups.at(-1);
    if (paragraph.kind !== 'li') groups.push({ kind: paragraph.kind, paragraph });
    else if (last !== undefined && last.kind === 'ul') last.items.push(paragraph);
    else groups.push({ kind: 'ul', items: [paragraph] });
  }
  return groups;
}

/** Prose whose every figure opens what is behind it. Text is text: nothing in it becomes markup. */
export function Prose({ paragraphs, chrome, onCite }: ProseProps): ReactNode {
  const draw = (paragraph: Paragraph) => (
    <Inlines inlines={paragraph.inlines} chrome={chrome} onCite={onCite} />
  );
  return keyed(grouped(paragraphs)).map(({ key, item }) => {
    if (item.kind === 'ul')
      return (
        <ul key={key}>
          {keyed(item.items).map((entry) => (
            <li key={entry.key}>{draw(entry.item)}</li>
          ))}
        </ul>
      );
    const Tag = item.kind;
    return <Tag key={key}>{draw(item.paragraph)}</Tag>;
  });
}

interface InlinesProps extends Omit<ProseProps, 'paragraphs'> {
  inlines: readonly Inline[];
}

/** The pieces of one sentence or caption. */
export function Inlines({ inlines, chrome, onCite }: InlinesProps): ReactNode {
  return keyed(glue(inlines)).map(({ key, item: group }) => {
    const pieces = keyed(group).map((piece) => (
      <Piece key={piece.key} inline={piece.item} chrome={chrome} onCite={onCite} />
    ));
    if (group.length === 1) return <Fragment key={key}>{pieces}</Fragment>;
    return (
      <span key={key} className="nw">
        {pieces}
      </span>
    );
  });
}

interface PieceProps extends Omit<ProseProps, 'paragraphs'> {
  inline: Inline;
}

function Piece({ inline, chrome, onCite }: PieceProps): ReactNode {
  switch (inline.kind) {
    case 'text':
      return <Text inline={inline} />;
    case 'figure':
      return <FigureText figure={inline.figure} onOpen={chrome.openFigure} />;
    case 'label':
      return <Label text={inline.text} evidence={inline.evidence} onOpen={chrome.openFigure} />;
    case 'cite':
      return <CiteMark id={inline.id} onCite={onCite} />;
    case 'feature':
      return <FeatureName id={inline.id} title={inline.title} />;
    case 'quote':
      return (
        <q>
          {inline.text}
          <CiteMark id={inline.id} onCite={onCite} />
        </q>
      );
    case 'typed':
      return <Typed text={inline.text} state={inline.state} />;
  }
}

function Text({ inline }: { inline: Extract<Inline, { kind: 'text' }> }): ReactNode {
  if (inline.code === true) return <code>{inline.text}</code>;
  const inner = inline.italic === true ? <em>{inline.text}</em> : inline.text;
  return inline.bold === true ? <b>{inner}</b> : inner;
}

interface LabelProps {
  text: string;
  evidence: string | null;
  onOpen: CardChrome['openFigure'];
}

/** Words that open their evidence: a link, because only that breaks over lines as text does; buttons are boxes. */
function Label({ text, evidence, onOpen }: LabelProps): ReactNode {
  if (evidence === null) return text;
  return (
    <a
      className="fig fig-wrap"
      href={figureHash(evidence)}
      onClick={(event) => {
        event.preventDefault();
        event.currentTarget.focus();
        onOpen(evidence, text);
      }}
    >
      {text}
    </a>
  );
}

function CiteMark({ id, onCite }: { id: string; onCite?: (id: string) => void }): ReactNode {
  if (onCite === undefined) return <span className="cite">[{id}]</span>;
  return (
    <button type="button" className="cite" aria-label={`Evidence ${id}`} onClick={() => onCite(id)}>
      [{id}]
    </button>
  );
}

/** A feature by name; its number stands with it, so that two of one name stay apart. */
export function FeatureName({ id, title }: { id: string; title: string }): ReactNode {
  return (
    <span className="feat">
      <span className="vh">feature </span>
      <span className="ref">{id}</span> {title}
    </span>
  );
}

const TYPED = {
  unchecked: 'written by the model, not checked yet',
  supported: null,
  unverified: 'written by the model, not found in the record',
} as const;

/** A number the model typed itself: marked until the check has found it in the record. */
function Typed({ text, state }: { text: string; state: keyof typeof TYPED }): ReactNode {
  const why = TYPED[state];
  if (why === null) return text;
  return (
    <span className={`typed typed-${state}`} title={why}>
      {text}
      {state === 'unverified' ? (
        <small aria-hidden="true">
          <Shape name="bang" />
          unverified
        </small>
      ) : null}
      <span className="vh"> ({why})</span>
    </span>
  );
}
