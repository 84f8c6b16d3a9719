/** The remaining times that are said, in milliseconds. */
const marks = [15_000, 60_000];

/**
 * Returns the mark that a clock passed between two looks at it; the shortest
 * where it passed both, nothing at the first look.
 */
export function passed(before: number | undefined, left: number): number | undefined {
  return before === undefined ? undefined : marks.find((mark) => before > mark && left <= mark);
}
