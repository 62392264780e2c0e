/** A surface's components by id, with the ids each one holds. */
export type Tree = ReadonlyMap<string, readonly string[]>;

export interface TreeLimits {
  components: number;
  depth: number;
}

/**
 * Checks a component tree from its root, without recursion: the root is there, every child is, none is its own
 * ancestor or has two parents, and neither depth nor number is past the limits.
 * @param added ids that must hang from the root; others may have been let go (the protocol cannot remove a component)
 * @returns null when all holds, else what does not, in words for the log
 */
export function brokenTree(
  tree: Tree,
  root: string,
  added: Iterable<string>,
  limits: TreeLimits,
): string | null {
  if (!tree.has(root)) return 'no root';
  if (tree.size > limits.components) return 'too many components';
  const reached = new Set<string>([root]);
  let level: string[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limits.depth) return 'nested too deep';
    const next: string[] = [];
    for (const id of level)
      for (const child of tree.get(id) ?? []) {
        if (!tree.has(child)) return `child ${child} is not there`;
        // A second way to a component is a cycle or a shared child; both draw it twice.
        if (reached.has(child)) return `${child} is held twice`;
        reached.add(child);
        next.push(child);
      }
    level = next;
  }
  for (const id of added) if (!reached.has(id)) return `${id} hangs from nothing`;
  return null;
}
