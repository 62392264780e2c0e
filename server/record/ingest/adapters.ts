import type { Adapter } from './adapter.ts';
import { AGENTFORGE } from './agentforge/index.ts';
import { GUARDIANKANE } from './guardiankane/index.ts';

/** Every adapter, in the order in which a file is offered to them: the first that wants it reads it. */
export const ADAPTERS: readonly Adapter[] = [...AGENTFORGE, ...GUARDIANKANE];
