import type { Adapter } from '../adapter.ts';
import { git } from './history.ts';
import { ledgerHistory } from './ledger-history.ts';

export { ledgerLines } from './ledger-lines.ts';
export { gitLines } from './log.ts';
export { gitState, RepositoryRefused } from './repository.ts';

/** What is read from a folder's own git. */
export const GIT: readonly Adapter[] = [git, ledgerHistory];
