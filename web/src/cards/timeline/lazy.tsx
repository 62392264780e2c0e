import { lazyPlot } from '../lazy-plot.tsx';

export const Lanes = lazyPlot(() => import('./Lanes.tsx'));
export const Strip = lazyPlot(() => import('./Strip.tsx'));
