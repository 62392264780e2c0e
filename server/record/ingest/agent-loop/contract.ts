/**
 * The contract of agent-loop: which artifacts a run leaves behind, which sections each must hold, and what bounds the loop.
 * It is the harness's own (its stage templates); adapter and audit both read it here.
 */
export const HARNESS = 'agent_loop';
/** The folder is one history of tasks, so it is one run of the loop; each task's folder is a feature of it. */
export const RUN = 'agent_loop';

export const TIERS = ['S', 'M', 'L'] as const;
export type Tier = (typeof TIERS)[number];
export const MODES = ['A', 'B'] as const;
export type Mode = (typeof MODES)[number];

/** Artifacts of one run, in the order in which the stages write them. */
export const ARTIFACTS = [
  'task.md',
  'analysis.md',
  'plan.md',
  'implementation.md',
  'test-report.md',
] as const;
export type ArtifactName = (typeof ARTIFACTS)[number];
export const PROFILE = 'profile.md';

/** Tiers that go through the stage; the smallest skip analysis and plan. */
const TIERS_OF: Readonly<Record<ArtifactName, readonly Tier[]>> = {
  'task.md': ['S', 'M', 'L'],
  'analysis.md': ['M', 'L'],
  'plan.md': ['L'],
  'implementation.md': ['S', 'M', 'L'],
  'test-report.md': ['S', 'M', 'L'],
};

/** Whether a run of this tier must have the artifact; without a known tier only what every tier needs. */
export const needsArtifact = (tier: Tier | null, artifact: ArtifactName): boolean =>
  tier === null ? TIERS_OF[artifact].length === TIERS.length : TIERS_OF[artifact].includes(tier);

/** When a section must be there and hold something. */
type When = 'always' | 'with_plan' | 'on_fail';
export interface SectionRule {
  name: string;
  when: When;
}
const always = (...names: string[]): SectionRule[] => names.map((name) => ({ name, when: 'always' }));

/** Sections by artifact. The runnable check and the verdict have rules of their own. */
export const SECTIONS: Readonly<Record<string, readonly SectionRule[]>> = {
  'task.md': [],
  'profile.md': always('Commands', 'Stack', 'Exemplars', 'Conventions & gotchas'),
  'analysis.md': always('Found', 'Exemplars', 'Missing', 'Reuse plan'),
  'plan.md': always('Decisions & rationale', 'Files to change', 'Steps', 'Out of scope'),
  'implementation.md': [
    ...always('What changed', 'Evidence'),
    { name: 'Deviations from plan', when: 'with_plan' },
  ],
  'test-report.md': [...always('Not verified', 'Evidence'), { name: 'Findings', when: 'on_fail' }],
};

/** Debug iterations before the loop has to stop and ask a person. */
export const DEBUG_CAP = 3;

/** A heading as compared: case, "and" or "&", and punctuation do not matter. */
export const sectionKey = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
