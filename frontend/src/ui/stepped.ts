/** A list with what is at a place a place later (1) or earlier (-1); at the ends, and of no place, it is the same list. */
export function stepped<T>(list: T[], at: number, by: 1 | -1): T[] {
  const to = at + by;
  if (at < 0 || to < 0 || to >= list.length) return list;
  return list.with(at, list[to]!).with(to, list[at]!);
}
