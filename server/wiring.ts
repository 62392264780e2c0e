import type { ProjectRef } from '../shared/wire.ts';
import { createCompiler } from './a2ui/compiler.ts';
import { messageValidator } from './a2ui/schema.ts';
import type { StartingView } from './answer/desks.ts';
import { createRegistry, type Registry } from './answer/evidence.ts';
import { knownProfile } from './answer/known-profile.ts';
import { onceStore, sharedStore } from './answer/once-store.ts';
import { readWholePlan } from './answer/parse-plan.ts';
import { byPlace } from './answer/placing.ts';
import { createPlanReader } from './answer/plan-reader.ts';
import type { AnswerPorts, ResolverOptions, StepLog } from './answer/ports.ts';
import { checkPremises } from './answer/premise.ts';
import { createResolver } from './answer/resolver.ts';
import { createScanner } from './answer/scanner.ts';
import type { NamedPlanner, Resolver } from './answer/types.ts';
import { type VerifyPorts, verify } from './answer/verify.ts';
import { collectEvidence } from './planner/evidence.ts';
import { startPlan, startTitle, suggestions } from './planner/start.ts';
import { acceptThreshold } from './record/ingest/agentforge/thresholds.ts';
import type { RecordHandle, Store } from './record/store.ts';

/** Planner of the starting view: it knows only the record. */
const startingPlanner: NamedPlanner = {
  kind: 'builtin',
  name: 'Starting view',
  model: null,
  plan: async function* ({ profile }) {
    yield startPlan(profile);
  },
};

export interface Wiring {
  /** Made once the server's own log is there, so that steps write into it. */
  ports(log: StepLog): AnswerPorts;
  starting: StartingView;
  registry: Registry;
  /** What the verifier works with: a connection of its own, and none of the steps that stream. */
  verifying: VerifyPorts;
}

/**
 * The verifier's own connection, kept from one answer to the next: planning its statements anew each time would cost more than
 * running them. It is closed with the record.
 */
function lastingConnection(store: Store, onChange: RecordHandle['onChange']): () => Promise<Store> {
  let open: Promise<Store> | null = null;
  return async () => {
    open ??= store.connect().then((made) => sharedStore(made, onChange));
    try {
      return lent(await open);
    } catch (error) {
      open = null;
      throw error;
    }
  };
}

/** A connection that whoever borrows it does not close. */
const lent = (store: Store): Store => ({
  query: (...given) => store.query(...given),
  connect: () => store.connect(),
  fingerprint: () => store.fingerprint(),
  close: async () => undefined,
});

/** A project, and what people may call it beside its name. */
type NamedRef = ProjectRef & { called?: readonly string[] };

/**
 * Puts the real steps together around one record.
 * @param project which of the loaded ones it is of
 */
export function createWiring(record: RecordHandle, project: NamedRef | null = null): Wiring {
  // Compiled now, so that the first answer does not wait for it.
  messageValidator();
  const registry = createRegistry(record, project && { id: project.id, name: project.name });
  const called = project?.called ?? [];
  // What streams and what checks share statements among their like, never with each other.
  const shared = sharedStore(record.store, record.onChange);
  const own = lastingConnection(record.store, record.onChange);
  const resolver = (options: ResolverOptions): Resolver =>
    createResolver({ ...options, registry, threshold: acceptThreshold });
  const refresh = async (): Promise<void> => {
    await record.reload();
  };
  const verifying: VerifyPorts = {
    connect: async () => onceStore(await own()),
    refresh,
    profile: knownProfile(record, called),
    checkPremises,
    collectEvidence,
    parse: readWholePlan,
    resolver,
    lineExists: async ({ source, line }) =>
      line !== null && (await record.rawLines(source, line, 0)) !== null,
  };
  const profile = knownProfile(record, called);
  const ports = (log: StepLog): AnswerPorts => ({
    refresh,
    profile,
    store: () => onceStore(shared),
    checkPremises,
    collectEvidence,
    scanner: () => createScanner(),
    reader: createPlanReader,
    resolver,
    surface: (id, order = byPlace) =>
      createCompiler(id, {
        order,
        refused: (refusal) => log.warn({ answer: id, ...refusal }, 'a card could not be sent'),
      }),
    verify: (input) => verify(input, verifying),
    onChange: (listener) => record.onChange(listener),
    suggestions,
    log,
  });
  return {
    ports,
    verifying,
    starting: { planner: startingPlanner, title: startTitle },
    registry,
  };
}
