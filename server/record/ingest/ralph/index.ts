import type { Adapter } from '../adapter.ts';
import { agentOutput } from './agent-output.ts';
import { contracts } from './contracts.ts';
import { frankbria } from './frankbria.ts';
import { iterations } from './iterations.ts';
import { jeeves } from './jeeves.ts';
import { loopLog } from './loop-log.ts';
import { loopMetrics } from './loop-metrics.ts';
import { orchestrator } from './orchestrator.ts';
import { quickstart } from './quickstart.ts';
import { snarktank } from './snarktank.ts';
import { wiggum } from './wiggum.ts';

/**
 * Loops after Ralph. To be listed before AgentForge: both know a feature_list.json and a claude-progress.txt, and these look
 * into the files before they take them.
 */
export const RALPH: readonly Adapter[] = [
  snarktank,
  quickstart,
  frankbria,
  loopMetrics,
  agentOutput,
  orchestrator,
  jeeves,
  iterations,
  loopLog,
  contracts,
  wiggum,
];
