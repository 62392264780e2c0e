import type { Code } from '../../shared/codes.ts';
import { LIMITS } from '../../shared/limits.ts';
import { Plan } from '../../shared/plan.ts';
import type { RecordProfile } from '../record/store.ts';
import { createPlanReader } from './plan-reader.ts';
import { SECTIONS } from './scanner.ts';
import type { Checked, EvidenceItem } from './types.ts';
import type { StrictPlan } from './verify.ts';

/**
 * The second reading of a plan's text: the whole document at once, by other code than the scanner's. It agrees with the
 * scanner on where the document begins and ends and that a section comes once, and repairs nothing.
 */

/** A block lies three levels inside the document: the plan, its blocks, the block. */
const AROUND_BLOCK = 2;

interface Document {
  text: string;
  /** Deepest nesting in it. */
  depth: number;
  /** A top-level key that comes twice. */
  twice: boolean;
}

/** The first JSON object with a key in it, up to its closing brace. */
function documentOf(text: string): Document | Code {
  if (text.length > LIMITS.planBytes) return 'plan_too_large';
  const start = text.search(/\{[ \t\r\n]*"/);
  if (start < 0) return /^\s*$/.test(text) ? 'plan_empty' : 'plan_invalid';
  let depth = 0;
  let deepest = 0;
  const keys: string[] = [];
  const token = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"(?:[ \t\r\n]*:)?|[{}[\]"]/g;
  token.lastIndex = start;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    if (found === '"') break;
    if (found === '{' || found === '[') deepest = Math.max(deepest, ++depth);
    else if (found === '}' || found === ']') {
      if (--depth === 0) {
        const twice = new Set(keys).size < keys.length;
        return { text: text.slice(start, token.lastIndex), depth: deepest, twice };
      }
    } else if (depth === 1 && found.endsWith(':')) keys.push(keyOf(found));
  }
  return 'cut_short';
}

function keyOf(token: string): string {
  const raw = token.slice(0, token.lastIndexOf('"') + 1);
  return raw.includes('\\') ? String(parse(raw)) : raw.slice(1, -1);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses the document of a text; depth is looked at by whoever goes down into it. */
function read(text: string): { value: object; depth: number } | Code {
  const document = documentOf(text);
  if (typeof document === 'string') return document;
  const value = document.twice ? undefined : parse(document.text);
  return typeof value === 'object' && value !== null ? { value, depth: document.depth } : 'plan_invalid';
}

const refused = (code: Code, issue: string): Checked<never> => ({ ok: false, code, issues: [issue] });

/**
 * Parses a plan strictly: the whole text, then the closed schema. Nothing is filled in or left out.
 * @returns codes `plan_too_large`, `plan_empty`, `cut_short`, `block_too_deep`, `plan_invalid`
 */
export function parsePlan(text: string): Checked<Plan> {
  const document = read(text);
  if (typeof document === 'string') return refused(document, 'not one complete document');
  if (document.depth > LIMITS.planDepth + AROUND_BLOCK) return refused('block_too_deep', 'nested too deep');
  const parsed = Plan.safeParse(document.value);
  if (parsed.success) return { ok: true, value: parsed.data, notes: [] };
  const issues = parsed.error.issues.slice(0, 20).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { ok: false, code: 'plan_invalid', issues };
}

/** Whether a value nests deeper than the scanner reads a block. Goes down level by level, without recursion. */
function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.filter((entry) => typeof entry === 'object' && entry !== null);
    if (inner.length > 0 && depth >= LIMITS.planDepth) return true;
    level = inner.flatMap((entry) => Object.values(Object(entry)));
  }
  return false;
}

const NOTHING: StrictPlan = {
  preamble: { about: { feature: null, scope: [] }, facts: [], premises: [], checks: [] },
  explanation: [],
  followUps: [],
  blocks: [],
  refused: [],
  code: null,
};

/**
 * Reads a plan as the page drew it, but from the whole text: what cannot be read costs the block, with its code.
 * @returns `code` says why the text is no plan at all
 */
export function readWholePlan(
  text: string,
  profile: RecordProfile,
  question: string | null,
  evidence: readonly EvidenceItem[],
): StrictPlan {
  const document = read(text);
  if (typeof document === 'string') return { ...NOTHING, code: document };
  const sections = new Map<string, unknown>(Object.entries(document.value));
  const given = sections.get('blocks') ?? [];
  if (!Array.isArray(given)) return { ...NOTHING, code: 'plan_invalid' };
  if (SECTIONS.some((key) => tooDeep(sections.get(key)))) return { ...NOTHING, code: 'plan_invalid' };
  const reader = createPlanReader(profile, question, evidence);
  const preamble = reader.preamble(sections);
  const declared = preamble.ok ? preamble.value : NOTHING.preamble;
  const plan: StrictPlan = {
    ...NOTHING,
    preamble: declared,
    explanation: reader.explanation(sections.get('explanation')),
    followUps: reader.followUps(sections.get('followUps')),
    blocks: [],
    refused: [],
  };
  for (const [index, value] of given.slice(0, LIMITS.blocksSeen).entries()) {
    const block: ReturnType<typeof reader.block> = tooDeep(value)
      ? refused('block_too_deep', 'nested too deep')
      : reader.block(value, declared);
    if (block.ok) plan.blocks.push({ index, block: block.value, notes: block.notes });
    else plan.refused.push({ index, code: block.code, reason: block.issues.slice(0, 3).join('; ') });
  }
  return plan;
}
