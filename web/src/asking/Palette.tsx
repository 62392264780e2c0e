import { Command } from 'cmdk';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import type { AskingMenu } from '../../../shared/wire.ts';
import { useDialog } from '../lib/use-dialog.ts';
import { suggest } from './suggest.ts';

/** One thing the palette can do. */
export interface PaletteItem {
  id: string;
  label: string;
  hint?: string;
  run(): void;
}
export interface PaletteGroup {
  name: string;
  items: readonly PaletteItem[];
}

interface PaletteProps {
  menu: AskingMenu;
  /** Everything beside questions: answers, boards, projects, settings. */
  groups: readonly PaletteGroup[];
  onAsk(question: string): void;
  onClose(): void;
}

/** Lines shown of one group. */
const SHOWN = 5;

const contains = (text: string, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

/** Everything that can be asked, opened or set, found by typing. */
export default function Palette({ menu, groups, onAsk, onClose }: PaletteProps): ReactNode {
  const dialog = useDialog();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  // A dialog gives the focus to the first thing that takes it, which is the list's frame.
  useEffect(() => field.current?.focus(), []);
  const text = typed.trim();
  const questions =
    text === ''
      ? menu.questions.slice(0, SHOWN).map((question) => ({ question, hint: null }))
      : suggest(text, menu);
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <dialog className="palette" ref={dialog} aria-label="Commands" onClose={onClose}>
      <Command label="Commands" shouldFilter={false} loop>
        <Command.Input
          ref={field}
          value={typed}
          onValueChange={setTyped}
          maxLength={LIMITS.question}
          placeholder="Ask, or go to…"
        />
        <Command.List>
          {text === '' ? null : (
            <Command.Group heading="Ask">
              <Command.Item value="ask" onSelect={then(() => onAsk(text))}>
                <span>{text}</span>
              </Command.Item>
            </Command.Group>
          )}
          {questions.length === 0 ? null : (
            <Command.Group heading="Questions">
              {questions.map(({ question, hint }) => (
                <Command.Item key={question} value={`q ${question}`} onSelect={then(() => onAsk(question))}>
                  <span>{question}</span>
                  {hint === null ? null : <small>{hint}</small>}
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {groups.map(({ name, items }) => {
            const shown = items
              .filter(({ label, hint }) => contains(`${name} ${label} ${hint ?? ''}`, text))
              .slice(0, SHOWN);
            return shown.length === 0 ? null : (
              <Command.Group key={name} heading={name}>
                {shown.map(({ id, label, hint, run }) => (
                  <Command.Item key={id} value={`${name} ${id}`} onSelect={then(run)}>
                    <span>{label}</span>
                    {hint === undefined ? null : <small>{hint}</small>}
                  </Command.Item>
                ))}
              </Command.Group>
            );
          })}
        </Command.List>
      </Command>
    </dialog>
  );
}
