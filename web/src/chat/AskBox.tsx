import { ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';

interface AskBoxProps {
  box: RefObject<HTMLTextAreaElement | null>;
  placeholder: string;
  /** Earlier questions, oldest first; arrow up brings them back to be edited. */
  history: readonly string[];
  onAsk(question: string): void;
}

const shortcut = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** Where questions are typed. Enter asks, Shift and Enter makes a new line, arrow up brings an earlier question back. */
export function AskBox({ box, placeholder, history, onAsk }: AskBoxProps): ReactNode {
  const [text, setText] = useState('');
  /** How far back in the history the text is; 0 is a new question. */
  const [back, setBack] = useState(0);

  useLayoutEffect(() => {
    const field = box.current;
    if (field === null) return;
    field.style.height = 'auto';
    if (text !== '') field.style.height = `${field.scrollHeight}px`;
  }, [box, text]);

  const send = (): void => {
    if (text.trim() === '') return;
    onAsk(text.trim());
    setText('');
    setBack(0);
  };

  const recall = (steps: number): void => {
    const next = Math.min(history.length, Math.max(0, back + steps));
    setBack(next);
    setText(next === 0 ? '' : (history[history.length - next] ?? ''));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'ArrowUp' && (text === '' || back > 0) && back < history.length) {
      event.preventDefault();
      recall(1);
    } else if (event.key === 'ArrowDown' && back > 0) {
      event.preventDefault();
      recall(-1);
    }
  };

  return (
    <form
      className="box"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={box}
        rows={1}
        aria-label="Ask about this run"
        aria-keyshortcuts="Control+K Meta+K /"
        placeholder={placeholder}
        maxLength={LIMITS.question}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setBack(0);
        }}
        onKeyDown={onKeyDown}
      />
      <kbd className="only-l">{shortcut}</kbd>
      <button type="submit" className="send" aria-label="Ask" disabled={text.trim() === ''}>
        <ArrowUp className="i" aria-hidden="true" />
      </button>
    </form>
  );
}
