import { type ReactNode, useId } from 'react';
import { Pie, PieChart, type PieSectorShapeProps, Sector } from 'recharts';
import { HatchPattern } from '../../hatch.tsx';
import { isHatched } from '../model.ts';
import { DIAMETER, type Slice } from '../slices.ts';

interface RingProps {
  slices: readonly Slice[];
  says: string;
  /** Place of the drawn series in the figures of a point. */
  index: number;
}

/** The ring of a donut: one arc a part, claimed parts hatched in their own colour. */
export default function Ring({ slices, says, index }: RingProps): ReactNode {
  const id = useId();
  const drawn = slices.filter((slice) => slice.share !== null && slice.share > 0);
  const data = drawn.map((slice) => ({ value: slice.share ?? 0 }));
  const shape = ({
    index: at,
    cx,
    cy,
    innerRadius,
    outerRadius,
    startAngle,
    endAngle,
  }: PieSectorShapeProps) => {
    const slice = drawn[at];
    if (slice === undefined) return null;
    const arc = { cx, cy, innerRadius, outerRadius, startAngle, endAngle };
    const hatched = isHatched(slice.point.figures[index]);
    return (
      <>
        <Sector
          {...arc}
          fill={hatched ? 'var(--claim-wash)' : `var(${slice.colour})`}
          stroke="var(--surface)"
          strokeWidth={1.5}
        />
        {hatched ? <Sector {...arc} fill={`url(#${id}-${at})`} stroke={`var(${slice.colour})`} /> : null}
      </>
    );
  };
  return (
    <div className="ring-plot" role="img" aria-label={says}>
      <PieChart width={DIAMETER} height={DIAMETER} accessibilityLayer={false}>
        <defs>
          {drawn.map((slice, at) => (
            <HatchPattern key={slice.colour + slice.point.key} id={`${id}-${at}`} colour={slice.colour} />
          ))}
        </defs>
        <Pie
          data={data}
          dataKey="value"
          innerRadius={52}
          outerRadius={86}
          startAngle={90}
          endAngle={-270}
          isAnimationActive={false}
          rootTabIndex={-1}
          shape={shape}
        />
      </PieChart>
    </div>
  );
}
