import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

/** The switch between a drawing and the table behind it. */
export function useTableSwitch(): { shown: boolean; button: ReactNode } {
  const [shown, setShown] = useState(false);
  const Icon = shown ? ChartColumn : Table2;
  const button = (
    <button
      type="button"
      className="how"
      aria-label="Show as a table"
      title="Show as a table"
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
    >
      <Icon className="i" aria-hidden="true" />
      <span aria-hidden="true">{shown ? 'Chart' : 'Table'}</span>
    </button>
  );
  return { shown, button };
}
