// The unchanged lines between the hunks of a file, as far as a person wants to see them.

import type { beckon } from '../bridge';
import type { DiffLine } from '../text/diff';

/** As many lines come at a time. */
export const step = 20;

/** Gap is unchanged lines that are not shown: those above a hunk, or below the last one. */
export interface Gap {
  /** The number of the hunk it is above, from 0; of the last gap that of all hunks. */
  nth: number;
  /** Its first and last line after the change; of the last gap of a file that nobody asked for, Infinity. */
  first: number;
  last: number;
}

/** Opened is how many lines of a gap are shown at its beginning, below a hunk, and at its end, above one. */
export interface Opened {
  below: number;
  above: number;
}

/** Unfolded is what is shown of a file's unchanged lines. */
export interface Unfolded {
  /** By the number of the gap. */
  opened: ReadonlyMap<number, Opened>;
  /** The lines that were asked for, by their numbers after the change. */
  lines: ReadonlyMap<number, string>;
  /** How many lines the file has, once that is known. */
  total: number | undefined;
}

/** Nothing is shown. */
export const none: Unfolded = { opened: new Map(), lines: new Map(), total: undefined };

/** foldable reports whether a file has unchanged lines that a page could ask for. */
function foldable(file: beckon.FileDiff): boolean {
  const [was, is] = file.mode.split(' → ');
  return (
    (file.change === 'M' || file.change === 'R') &&
    (is === undefined || was?.slice(0, 3) === is.slice(0, 3))
  );
}

interface Shown {
  /** The lines of the diff, with the unchanged ones among them. */
  shown: DiffLine[];
  /** What is left above each hunk, by its head. */
  gaps: Map<DiffLine, Gap>;
  tail: Gap | undefined;
}

/** withUnchanged puts the unchanged lines that are to be shown among those of a diff. */
export function withUnchanged(
  file: beckon.FileDiff,
  lines: DiffLine[],
  { opened, lines: known, total }: Unfolded,
): Shown {
  const gaps = new Map<DiffLine, Gap>();
  if (!lines.some((line) => line.kind === 'hunk') || !foldable(file))
    return { shown: lines, gaps, tail: undefined };
  const shown: DiffLine[] = [];
  /** The last line above, on both sides. */
  let before = 0;
  let after = 0;
  let nth = 0;
  const add = (from: number, to: number, shift: number) => {
    for (let n = from; n <= to && known.has(n); n++)
      shown.push({
        kind: 'same',
        before: n + shift,
        after: n,
        text: known.get(n) ?? '',
        mark: null,
      });
  };
  for (const line of lines) {
    if (line.kind === 'hunk') {
      const gap = restOf({ nth, first: after + 1, last: line.after - 1 }, opened.get(nth), known);
      add(after + 1, gap.first - 1, before - after);
      shown.push(line);
      if (gap.first <= gap.last) gaps.set(line, gap);
      add(Math.max(gap.last, gap.first - 1) + 1, line.after - 1, before - after);
      nth++;
    } else {
      shown.push(line);
      if (line.before > 0) before = line.before;
      if (line.after > 0) after = line.after;
    }
  }
  if (file.cut || file.pending || endShows(lines)) return { shown, gaps, tail: undefined };
  const gap = restOf({ nth, first: after + 1, last: total ?? Infinity }, opened.get(nth), known);
  add(after + 1, gap.first - 1, before - after);
  return { shown, gaps, tail: gap.first <= gap.last ? gap : undefined };
}

/** restOf returns what is left of a gap where parts of it are shown, as far as they are known. */
function restOf(gap: Gap, opened: Opened | undefined, known: ReadonlyMap<number, string>): Gap {
  if (!opened) return gap;
  let { first, last } = gap;
  for (let n = 0; n < opened.below && first <= last && known.has(first); n++) first++;
  for (let n = 0; n < opened.above && first <= last && known.has(last); n++) last--;
  return { nth: gap.nth, first, last };
}

/** Git shows three unchanged lines below a change, if there are as many. */
const context = 3;

/** endShows reports whether a diff reaches the end of its file. */
function endShows(lines: DiffLine[]): boolean {
  return lines.slice(-context).some((line) => line.kind !== 'same');
}
