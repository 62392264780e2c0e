import { LIMITS } from '../../shared/limits.ts';
import type { LiveEvent } from '../../shared/wire.ts';
import type { Settled, StepLog } from '../answer/ports.ts';
import { LiveReader } from './reader.ts';
import { createThrottle } from './throttle.ts';
import { type LiveTimes, LiveView } from './view.ts';

/** An answer that is asked for to be followed. */
export interface Followed {
  id: string;
  settled: Settled | null;
}

export interface Feed {
  /**
   * Begins to listen.
   * @param answer the answer on the page; null to hear of changes of the record alone
   * @param record short fingerprint the page's figures were checked on
   * @returns null when there are too many readers
   */
  listen(answer: Followed | null, record: string): LiveReader | null;
  /** Whether a further reader would be taken. */
  readonly full: boolean;
  /** Answers followed now. */
  readonly views: number;
  close(): void;
}

/** Calls back from now on; returns the way to stop it. */
type Listen = (listener: () => void) => () => void;

export interface FeedParts {
  /** When any of the loaded records changed. */
  onChange: Listen;
  /** When a board was changed. */
  onBoards: Listen;
  log: StepLog;
  times?: LiveTimes;
}

/** The one feed of changes: who listens, and which answers follow the record for them. */
export function createFeed({ onChange, onBoards, log, times = LIMITS }: FeedParts): Feed {
  const views = new Map<Settled, LiveView>();
  const readers = new Set<LiveReader>();
  /** Tells every reader of something, however often it happens. Returns the way to stop it. */
  const tell = (listen: Listen, event: LiveEvent): (() => void) => {
    const told = createThrottle(async () => {
      for (const reader of readers) reader.send([event]);
    }, times.liveEveryMs);
    const unlisten = listen(() => told.trigger());
    return () => {
      unlisten();
      told.stop();
    };
  };
  const ends = [tell(onChange, { event: 'record', data: {} }), tell(onBoards, { event: 'boards', data: {} })];

  const viewOf = ({ id, settled }: Followed): LiveView | null => {
    if (settled === null) return null;
    const known = views.get(settled);
    if (known !== undefined) return known;
    if (views.size >= LIMITS.liveViews) return null;
    const made = new LiveView(id, settled, log, times);
    views.set(settled, made);
    return made;
  };

  return {
    get full() {
      return readers.size >= LIMITS.liveReaders;
    },
    get views() {
      return views.size;
    },
    listen(answer, record) {
      if (readers.size >= LIMITS.liveReaders) return null;
      const reader = new LiveReader();
      readers.add(reader);
      const view = answer === null ? null : viewOf(answer);
      if (view === null) reader.send([{ event: 'ready', data: { answerId: null } }]);
      else view.join(reader, record);
      reader.once('close', () => {
        readers.delete(reader);
        view?.leave(reader);
        // Nobody reads it any more: it need not follow the record either. What it shows is kept with the answer.
        if (view === null || answer?.settled == null || view.readers > 0) return;
        view.close();
        if (views.get(answer.settled) === view) views.delete(answer.settled);
      });
      return reader;
    },
    close() {
      for (const end of ends) end();
      for (const view of views.values()) view.close();
      views.clear();
      for (const reader of readers) reader.finish();
    },
  };
}
