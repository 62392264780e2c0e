import type { Adapter } from '../adapter.ts';
import { activityLog } from './activity-log.ts';
import { documents } from './documents.ts';

/** GuardianKane: the log of its verifier, and the documents it keeps beside it. */
export const GUARDIANKANE: readonly Adapter[] = [activityLog, documents];
