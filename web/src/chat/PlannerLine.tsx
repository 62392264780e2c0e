import { type ReactNode, useId } from 'react';
import type { Health } from '../../../shared/wire.ts';

/** Who plans the answers, and how to have a model do it. */
export function PlannerLine({ health, onHelp }: { health: Health | null; onHelp(): void }): ReactNode {
  const id = useId();
  const planner = health?.planner ?? null;
  if (planner === null) return null;
  if (health?.replay === true)
    return (
      <div className="planner">
        <span>Replay of a saved answer, no planner and no record</span>
      </div>
    );
  const model = planner.kind === 'model';
  return (
    <div className="planner">
      <span>{model ? `Planned by ${planner.model ?? 'a model'}` : 'Built-in planner, no model needed'}</span>
      <button type="button" className="link" onClick={onHelp}>
        What can I ask?
      </button>
      <button type="button" className="link" popoverTarget={id}>
        {model ? 'What it sees' : 'Add a model'}
      </button>
      <section
        id={id}
        popover="auto"
        className="pop"
        aria-label={model ? 'What the model sees' : 'Add a model'}
      >
        {model ? null : <HowToAdd />}
        <p>
          A model only orders cards from a fixed menu. Every figure is computed here from the record. With a
          model, your question and a short extract of the record go to its server; without one, nothing leaves
          this machine.
        </p>
      </section>
    </div>
  );
}

function HowToAdd(): ReactNode {
  return (
    <>
      <h3>Add a model</h3>
      <p>
        Any server that speaks the OpenAI Chat Completions interface will do. Set these, then start again:
      </p>
      <dl>
        <dt>OPENAI_API_KEY</dt>
        <dd>the key; any text for a local server that needs none</dd>
        <dt>OPENAI_BASE_URL</dt>
        <dd>its address, when it is not OpenAI's own</dd>
        <dt>OPENAI_MODEL</dt>
        <dd>the name of the model</dd>
      </dl>
    </>
  );
}
