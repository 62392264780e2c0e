import { ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { optionId, SuggestionList } from '../asking/SuggestionList.tsx';
import { suggest } from '../asking/suggest.ts';
import { useMenu } from '../asking/use-menu.ts';
import { plural } from '../lib/words.ts';

interface AskBoxProps {
  box: RefObject<HTMLTextAreaElement | null>;
  placeholder: string;
  /** Earlier questions, oldest first; arrow up brings them back to be edited. */
  history: readonly string[];
  /** The project on the page, and the fingerprint of its record, for suggestions. */
  project: string | null;
  record: string | null;
  onAsk(question: string): void;
}

const shortcut = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/**
 * Where questions are typed. Enter asks, Shift and Enter makes a new line, arrow up brings an earlier question back. While
 * somebody types, the arrows go through what may be meant.
 */
export function AskBox({ box, placeholder, history, project, record, onAsk }: AskBoxProps): ReactNode {
  const [text, setText] = useState('');
  /** How far back in the history the text is; 0 is a new question. */
  const [back, setBack] = useState(0);
  const list = useId();
  const [wanted, setWanted] = useState(false);
  const [focused, setFocused] = useState(false);
  /** Whether Esc has put the suggestions away, and which of them the keyboard is on. */
  const [away, setAway] = useState(false);
  const [active, setActive] = useState(-1);
  const menu = useMenu(project, record, wanted);
  const suggestions = focused && back === 0 && !away ? suggest(text, menu) : [];

  useLayoutEffect(() => {
    const field = box.current;
    if (field === null) return;
    field.style.height = 'auto';
    if (text !== '') field.style.height = `${field.scrollHeight}px`;
  }, [box, text]);

  const put = (next: string): void => {
    setText(next);
    setActive(-1);
    setAway(false);
  };

  const send = (question: string): void => {
    if (question.trim() === '') return;
    onAsk(question.trim());
    put('');
    setBack(0);
  };

  const recall = (steps: number): void => {
    const next = Math.min(history.length, Math.max(0, back + steps));
    setBack(next);
    put(next === 0 ? '' : (history[history.length - next] ?? ''));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send(suggestions[active]?.question ?? text);
    } else if (event.key === 'Escape' && suggestions.length > 0) {
      event.preventDefault();
      setAway(true);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && suggestions.length > 0) {
      event.preventDefault();
      // One place more than there are suggestions: what was typed itself.
      const places = suggestions.length + 1;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive(((active + 1 + step + places) % places) - 1);
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
        send(text);
      }}
    >
      {suggestions.length === 0 ? null : (
        <SuggestionList id={list} suggestions={suggestions} active={active} onChoose={send} />
      )}
      <textarea
        ref={box}
        rows={1}
        aria-label="Ask about this run"
        aria-keyshortcuts="/"
        aria-autocomplete="list"
        aria-controls={suggestions.length > 0 ? list : undefined}
        aria-activedescendant={active < 0 ? undefined : optionId(list, active)}
        placeholder={placeholder}
        maxLength={LIMITS.question}
        value={text}
        onChange={(event) => {
          put(event.target.value);
          setBack(0);
        }}
        onFocus={() => {
          setWanted(true);
          setFocused(true);
        }}
        onBlur={() => setFocused(false)}
        onKeyDown={onKeyDown}
      />
      <span className="vh" aria-live="polite">
        {suggestions.length === 0 ? '' : `${plural(suggestions.length, 'suggestion')}, by the arrow keys`}
      </span>
      <kbd className="only-l">{shortcut}</kbd>
      <button type="submit" className="send" aria-label="Ask" disabled={text.trim() === ''}>
        <ArrowUp className="i" aria-hidden="true" />
      </button>
    </form>
  );
}
