export interface Keyed<T> {
  key: string;
  item: T;
}

/**
 * Gives each item of a list a key of its own, for lists that are drawn in one go and never reorder by themselves.
 * @param name what the item is called, when it has a name; two of one name stay apart
 */
export function keyed<T>(items: readonly T[], name: (item: T) => string = () => ''): Keyed<T>[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const base = name(item).slice(0, 80);
    const times = (seen.get(base) ?? 0) + 1;
    seen.set(base, times);
    return { key: `${base}#${times}`, item };
  });
}
