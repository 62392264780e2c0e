import type { ReactComponentImplementation } from '@a2ui/react/v0_9';
import type { CardComponent } from '../../../shared/catalog.ts';
import { defineCard } from '../a2ui/define-card.tsx';
import { definitions } from './definitions.ts';

const implementations = {
  PremiseCard: defineCard(definitions.PremiseCard),
  ConflictCard: defineCard(definitions.ConflictCard),
  AttemptsCard: defineCard(definitions.AttemptsCard),
  StatCard: defineCard(definitions.StatCard),
  LineChart: defineCard(definitions.LineChart),
  BarChart: defineCard(definitions.BarChart),
  DonutChart: defineCard(definitions.DonutChart),
  TableCard: defineCard(definitions.TableCard),
  LedgerCard: defineCard(definitions.LedgerCard),
  LogCard: defineCard(definitions.LogCard),
  TimelineCard: defineCard(definitions.TimelineCard),
  NoteCard: defineCard(definitions.NoteCard),
  EmptyCard: defineCard(definitions.EmptyCard),
  CardSkeleton: defineCard(definitions.CardSkeleton),
} satisfies Record<CardComponent, ReactComponentImplementation>;

/** Every card of the catalog, ready for a surface. */
export const cards: readonly ReactComponentImplementation[] = Object.values(implementations);
