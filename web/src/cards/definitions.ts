import type { CardDefinition } from '../a2ui/types.ts';
import { AttemptsView } from './attempts/AttemptsCard.tsx';
import { readAttempts } from './attempts/read.ts';
import { ChartView } from './chart/ChartCard.tsx';
import { readChart } from './chart/read.ts';
import { lazyCard } from './lazy-card.tsx';
import { readLedger } from './ledger/read.ts';
import { readLog } from './log/read.ts';
import { EmptyView } from './note/EmptyCard.tsx';
import { NoteView } from './note/NoteCard.tsx';
import { readEmpty, readNote } from './note/read.ts';
import { PremiseView } from './premise/PremiseCard.tsx';
import { readPremise } from './premise/read.ts';
import { SkeletonView } from './skeleton/CardSkeleton.tsx';
import { readSkeleton } from './skeleton/read.ts';
import { readStat } from './stat/read.ts';
import { StatView } from './stat/StatCard.tsx';
import { readConflict, readTable } from './table/read.ts';
import { ConflictView, TableView } from './table/TableCard.tsx';
import { readTimeline } from './timeline/read.ts';

const define = <M>(definition: CardDefinition<M>): CardDefinition<M> => definition;

/** Reader and view of every card of the catalog, by its name there. */
export const definitions = {
  PremiseCard: define({ name: 'PremiseCard', read: readPremise, View: PremiseView }),
  ConflictCard: define({ name: 'ConflictCard', read: readConflict, View: ConflictView }),
  AttemptsCard: define({ name: 'AttemptsCard', read: readAttempts, View: AttemptsView }),
  StatCard: define({ name: 'StatCard', read: readStat, View: StatView }),
  LineChart: define({ name: 'LineChart', read: readChart('line'), View: ChartView }),
  BarChart: define({ name: 'BarChart', read: readChart('bar'), View: ChartView }),
  DonutChart: define({ name: 'DonutChart', read: readChart('donut'), View: ChartView }),
  TableCard: define({ name: 'TableCard', read: readTable, View: TableView }),
  LedgerCard: define({
    name: 'LedgerCard',
    read: readLedger,
    View: lazyCard('LedgerCard', () => import('./ledger/LedgerCard.tsx').then((loaded) => loaded.LedgerView)),
  }),
  LogCard: define({
    name: 'LogCard',
    read: readLog,
    View: lazyCard('LogCard', () => import('./log/LogCard.tsx').then((loaded) => loaded.LogView)),
  }),
  TimelineCard: define({
    name: 'TimelineCard',
    read: readTimeline,
    View: lazyCard('TimelineCard', () =>
      import('./timeline/TimelineCard.tsx').then((loaded) => loaded.TimelineView),
    ),
  }),
  NoteCard: define({ name: 'NoteCard', read: readNote, View: NoteView }),
  EmptyCard: define({ name: 'EmptyCard', read: readEmpty, View: EmptyView }),
  CardSkeleton: define({ name: 'CardSkeleton', read: readSkeleton, View: SkeletonView }),
};
