import type { Desk } from '../../answer/desks.ts';
import type { Keeping } from '../../answer/keeping.ts';
import { readWholePlan } from '../../answer/parse-plan.ts';
import type { AnswerPorts, ResolverOptions, StepLog } from '../../answer/ports.ts';
import { Queries, queryContext } from '../../answer/resolve/context.ts';
import type { Descriptor } from '../../answer/resolve/descriptor.ts';
import { createResolver } from '../../answer/resolver.ts';
import type { NamedPlanner, Resolver } from '../../answer/types.ts';
import { type VerifyPorts, verify } from '../../answer/verify.ts';
import { QueryRefused } from '../../metrics/fit.ts';
import { acceptThreshold } from '../../record/ingest/agentforge/thresholds.ts';
import type { RecordProfile } from '../../record/store.ts';
import { type Project, refOf } from '../project.ts';
import { comparisonPlan } from './plan.ts';
import { joinedProfile } from './profile.ts';
import { JoinedQueries } from './queries.ts';
import { QUESTIONS } from './questions.ts';
import { JoinedStore } from './store.ts';

export interface ComparisonParts {
  /** What is compared, in this order. */
  projects: readonly [Project, ...Project[]];
  keeping: Keeping | null;
  log: StepLog;
}

/**
 * The desk of a comparison. It goes the way of every answer: a plan, cards, a second reading. Only its queries are run in each
 * project's own record, and each figure is registered with the project it belongs to, so that it opens there.
 */
export function comparisonDesk({ projects, keeping, log }: ComparisonParts): Desk {
  // What asks no record is as everywhere.
  const steps = projects[0].wiring.ports(log);
  const stores = new JoinedStore(new Map(projects.map(({ id, record }) => [id, record.store])));
  /** Profiles by the joined one they went into: what the queries of an answer need to know of each record. */
  const known = new WeakMap<RecordProfile, readonly RecordProfile[]>();
  const refresh = async (): Promise<void> => {
    await Promise.all(projects.map(({ record }) => record.reload()));
  };
  const profile = async (): Promise<RecordProfile> => {
    const profiles = await Promise.all(projects.map(({ record }) => record.profile()));
    const joined = joinedProfile(profiles, await stores.fingerprint());
    known.set(joined, profiles);
    return joined;
  };
  const register = (descriptor: Descriptor): string => {
    const key =
      descriptor.kind === 'query' && descriptor.query.by === 'project' ? descriptor.key.by : undefined;
    const owner = projects.find(({ id }) => id === key);
    if (owner === undefined)
      throw new QueryRefused('block_incompatible', 'A figure belongs to one project.', 'project');
    return owner.wiring.registry.register(descriptor);
  };
  const resolver = (options: ResolverOptions): Resolver => {
    const parts = options.store instanceof JoinedStore ? options.store : stores;
    const profiles = known.get(options.profile) ?? [];
    const all = projects.map(({ id, name, record }, at) => {
      const context = queryContext(profiles[at] ?? options.profile);
      return { id, name, queries: new Queries(parts.parts.get(id) ?? record.store, context, options.signal) };
    });
    const queries = new JoinedQueries(all, parts, queryContext(options.profile), options.signal);
    return createResolver({ ...options, queries, registry: { register }, threshold: acceptThreshold });
  };
  const nothing = async (): Promise<never[]> => [];
  const verifying: VerifyPorts = {
    connect: () => stores.connect(),
    refresh,
    profile,
    checkPremises: nothing,
    collectEvidence: nothing,
    parse: readWholePlan,
    resolver,
    // Its cards cite by their figures alone; a place on one of them would not say whose it is.
    lineExists: async () => false,
  };
  const ports: AnswerPorts = {
    ...steps,
    refresh,
    profile,
    store: () => stores,
    checkPremises: nothing,
    collectEvidence: nothing,
    resolver,
    verify: (input) => verify(input, verifying),
    onChange: (listener) => {
      const ends = projects.map(({ record }) => record.onChange(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    suggestions: () => Object.values(QUESTIONS).slice(0, 3),
  };
  const planner: NamedPlanner = {
    kind: 'builtin',
    name: 'Built-in planner',
    model: null,
    plan: async function* ({ question, profile: joined }) {
      yield JSON.stringify(comparisonPlan(question, projects.map(refOf), joined));
    },
  };
  const starting = { planner, title: async (): Promise<string> => QUESTIONS.all };
  return { projects: projects.map(refOf), ports, planner, starting, keeping };
}
