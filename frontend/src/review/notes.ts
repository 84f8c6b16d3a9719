// Comments among the rows of a diff, and lines that become one.

import type { beckon } from '../bridge';
import type { DiffLine } from '../text/diff';
import { type ChangedFile, idOf, inSame, repositoryOf } from './file';
import type { DiffRow, Remark, Writing } from './row';

/** pathOn returns what a file is called on a side of its diff. */
export function pathOn(file: ChangedFile, side: beckon.CommentSide): string {
  return side === 'before' ? file.oldPath || file.path : file.path;
}

/** numberOn returns the number of a row's line on a side, 0 where it has none there. */
function numberOn(row: DiffRow, side: beckon.CommentSide): number {
  return numberOf(lineOn(row, side), side);
}

/** numberOf returns the number that a line has on a side. */
export function numberOf(line: DiffLine | undefined, side: beckon.CommentSide): number {
  if (!line || line.kind === 'hunk' || line.kind === 'remark') return 0;
  return side === 'before' ? line.before : line.after;
}

/** lineOn returns the line that a row shows on a side. */
export function lineOn(row: DiffRow, side: beckon.CommentSide): DiffLine | undefined {
  if (row.kind !== 'line') return undefined;
  return row.pair ? row.pair[side === 'before' ? 0 : 1] : row.line;
}

/** pickable reports whether a row is a line that can be commented on. */
export function pickable(row: DiffRow | undefined): boolean {
  return row !== undefined && (numberOn(row, 'after') > 0 || numberOn(row, 'before') > 0);
}

/** firstChanged returns the row of the first changed line of the hunk whose head is a row, else of its first line; -1 for none. */
export function firstChanged(rows: DiffRow[], head: number): number {
  let first = -1;
  for (let i = head + 1; i < rows.length && !isHead(rows[i]!); i++) {
    const row = rows[i]!;
    if (row.kind === 'line' && (row.line.kind === 'add' || row.line.kind === 'del')) return i;
    if (first < 0 && pickable(row)) first = i;
  }
  return first;
}

function isHead(row: DiffRow): boolean {
  return row.kind === 'file' || (row.kind === 'line' && row.line.kind === 'hunk');
}

/** withinHunk returns the row nearest to `to` that is a line of the hunk of `from`. */
export function withinHunk(rows: DiffRow[], from: number, to: number): number {
  const step = to < from ? -1 : 1;
  let last = from;
  for (let i = from; i !== to + step && rows[i] && !isHead(rows[i]!); i += step)
    if (pickable(rows[i])) last = i;
  return last;
}

/** sideOf returns the side on which lines from a row on are commented on, unless one is chosen: after the change, but for one that was removed. */
export function sideOf(row: DiffRow): beckon.CommentSide {
  return numberOn(row, 'after') > 0 ? 'after' : 'before';
}

/** linesOf returns the lines between two rows of a hunk, of one side. */
export function linesOf(
  rows: DiffRow[],
  one: number,
  other: number,
  chosen?: beckon.CommentSide,
): beckon.CommentLines | undefined {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const file = rows[one]?.file;
  if (!file) return undefined;
  let side = chosen ?? sideOf(rows[one]!);
  // Unchanged lines are what they are, whichever column they are picked in.
  if (
    rows
      .slice(from, to + 1)
      .every((row) => lineOn(row, side) === undefined || lineOn(row, side)?.kind === 'same')
  )
    side = 'after';
  const among = rows.slice(from, to + 1).filter((row) => numberOn(row, side) > 0);
  const [first, last] = [among[0], among.at(-1)];
  if (!first || !last) return undefined;
  const quote = among.map((row) => lineOn(row, side)?.text ?? '').join('\n');
  return {
    repository: file.repository ?? '',
    path: pathOn(file, side),
    side,
    first: numberOn(first, side),
    last: numberOn(last, side),
    quote,
    content: file.content,
  };
}

/** withNotes puts comments and discussions below their last lines; those whose lines are not shown come behind their file, or, once all files are listed, at the end. */
export function withNotes(
  rows: DiffRow[],
  remarks: Remark[],
  writing: Writing | undefined,
  whole = true,
): DiffRow[] {
  const left = remarks.filter((one) => one.id !== writing?.id);
  if (left.length === 0 && !writing) return rows;
  const places = new Map<string, Remark[]>();
  /** The files that have any; the others may be very long. */
  const noted = new Set(left.map((one) => one.path));
  if (writing) noted.add(writing.lines.path);
  for (const one of left)
    if (!one.outdated) places.set(placeOf(one), [...(places.get(placeOf(one)) ?? []), one]);
  const out: DiffRow[] = [];
  const shown = new Set<Remark>();
  let written = false;
  const lost = (file: ChangedFile, of: (one: Remark) => boolean) => {
    const some = left.filter((one) => !shown.has(one) && of(one));
    if (some.length > 0)
      out.push({ kind: 'lost', id: `${idOf(file)}\nlost`, file, n: some.length });
    for (const one of some) out.push(noteOf(one, file));
    for (const one of some) shown.add(one);
  };
  for (const [i, row] of rows.entries()) {
    out.push(row);
    const sides =
      noted.has(row.file.path) || noted.has(row.file.oldPath) ? (['before', 'after'] as const) : [];
    for (const side of sides) {
      const place = placeOf({
        repository: row.file.repository ?? '',
        side,
        last: numberOn(row, side),
        path: pathOn(row.file, side),
      });
      for (const one of places.get(place) ?? []) {
        if (shown.has(one)) continue;
        shown.add(one);
        out.push(noteOf(one, row.file));
      }
      if (writing && !written && placeOf(writing.lines) === place) {
        written = true;
        out.push({ kind: 'writing', id: 'writing', file: row.file, writing });
      }
    }
    const ends = rows[i + 1]?.file !== row.file;
    if (ends && sides.length > 0)
      lost(row.file, (one) => isAbout(one, row.file) && !isFolded(rows, i));
    if (!whole || i < rows.length - 1) continue;
    const files = new Set(rows.map((other) => other.file));
    lost(row.file, (one) => ![...files].some((file) => isAbout(one, file)));
    if (writing && !written) out.push({ kind: 'writing', id: 'writing', file: row.file, writing });
  }
  return out;
}

/** isFolded reports whether a file whose last row this is shows only its name. */
function isFolded(rows: DiffRow[], last: number): boolean {
  return rows[last]?.kind === 'file';
}

function noteOf(one: Remark, file: ChangedFile): DiffRow {
  return 'said' in one
    ? { kind: 'thread', id: `thread ${one.id}`, file, thread: one }
    : { kind: 'comment', id: `comment ${one.id}`, file, comment: one };
}

function placeOf(
  lines: Pick<beckon.CommentLines, 'side' | 'last' | 'path'> & { repository?: string },
): string {
  const { side, last, path } = lines;
  return `${side} ${last} ${idOf({ repository: repositoryOf(lines), path })}`;
}

/** isAbout reports whether a remark is about a file. */
export function isAbout(one: Remark | beckon.CommentLines, file: ChangedFile): boolean {
  return inSame(one, file) && one.path === pathOn(file, one.side);
}

/** openOn counts the comments on a file that are not resolved. */
export function openOn(comments: beckon.Comment[], file: ChangedFile): number {
  return comments.filter((one) => one.resolved === 0 && isAbout(one, file)).length;
}

/** The line of today's file that a row is about, where it is of that file; else that of the file's first change. */
export function lineIn(rows: DiffRow[], file: ChangedFile, at: number): number {
  const first = rows.findIndex(
    (row) => row.file === file && row.kind === 'line' && row.line.kind === 'hunk',
  );
  const row =
    rows[at]?.file === file
      ? rows[at]
      : (rows[firstChanged(rows, Math.max(0, first))] ?? rows[first]);
  return row?.kind === 'line' ? Math.max(1, row.line.after) : 1;
}
