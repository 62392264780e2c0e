import { z } from 'zod/v4';
import { capital } from '../../../shared/capital.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { CardChange } from '../../../shared/wire.ts';
import { dimensionById } from '../../metrics/dimensions.ts';
import { measureById } from '../../metrics/measures.ts';

/** A plan as far as a change of one block needs to know it; everything else is left as it is written, and in its order. */
const Document = z.record(z.string(), z.unknown());
const Blocks = z.array(z.record(z.string(), z.unknown()));
type LooseBlock = z.infer<typeof Blocks>[number];

const Measures = z.array(z.looseObject({ measure: z.string() }));
const Filters = z.array(z.looseObject({ dim: z.string() }));

/** What a chart of another figure or grouping shows, in place of a title written for the first one. */
function titled(block: LooseBlock): LooseBlock {
  const measures = Measures.safeParse(block.measures);
  const [first, ...others] = measures.success ? measures.data : [];
  const measure = measureById(first?.measure ?? '');
  const by = typeof block.by === 'string' ? dimensionById(block.by) : undefined;
  if (measure === undefined || by === undefined || others.length > 0) return block;
  return { ...block, title: `${capital(measure.label)} by ${by.label}`.slice(0, LIMITS.title) };
}

/** The block with one of its parts changed. */
function changed(block: LooseBlock, { control, value }: CardChange): LooseBlock | null {
  switch (control) {
    case 'measure': {
      const measures = Measures.safeParse(block.measures);
      if (!measures.success || measures.data.length !== 1) return null;
      return titled({ ...block, measures: [{ ...measures.data[0], measure: value }] });
    }
    case 'category': {
      const where = Filters.safeParse(block.where ?? []);
      if (!where.success) return null;
      const others = where.data.filter(({ dim }) => dim !== 'category');
      const only = value === '' ? [] : [{ type: 'in', dim: 'category', not: false, any_of: [value] }];
      return { ...block, where: [...others, ...only] };
    }
    case 'by':
      // A line and shares belong to some groupings; what was ordered by size may now have an order of its own.
      return titled({ ...block, by: value, draw: 'bar', split: null });
    case 'order_by':
      return { ...block, order_by: value === '' ? null : value };
    case 'draw':
    case 'order':
    case 'size':
    case 'group':
      return { ...block, [control]: value };
  }
}

/**
 * The text of a plan with one block changed; null when it has no such block, or the block nothing of that kind.
 * The result is read like any other plan: what does not fit is refused there.
 */
export function applyChange(text: string, index: number, change: CardChange): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const plan = Document.safeParse(value);
  const blocks = Blocks.safeParse(plan.success ? plan.data.blocks : null);
  const block = blocks.success ? blocks.data[index] : undefined;
  if (!plan.success || !blocks.success || block === undefined) return null;
  const next = changed(block, change);
  if (next === null) return null;
  // A plan is read as it is written: its facts have to stay before the blocks that use them.
  return JSON.stringify({ ...plan.data, blocks: blocks.data.map((one, at) => (at === index ? next : one)) });
}
