// The diffs of all files as one list of rows, in one column or in two.

import { type DiffLine, DiffReader } from '../text/diff';
import { type ChangedFile, idOf } from './file';
import { isPicture, noteAbove, noteOf } from './kinds';
import type { DiffRow, Pair } from './row';
import type { Folder } from './tree';
import { none, type Unfolded, withUnchanged } from './unchanged';

/** How rows are made. */
export interface RowLook {
  split: boolean;
  /** White space does not count. */
  ignoreSpace: boolean;
  /** What is shown of unchanged lines. */
  unfolded?: (file: ChangedFile) => Unfolded | undefined;
}

/** diffRows lists every row of every file, or of the first ones, in the order of the tree; of the folded ones only the name. */
export function diffRows(
  folders: Folder[],
  folded: (file: ChangedFile) => boolean = () => false,
  look: RowLook = { split: false, ignoreSpace: false },
  first = Infinity,
): DiffRow[] {
  const rows: DiffRow[] = [];
  for (const file of folders.flatMap((f) => f.files).slice(0, first)) {
    rows.push({ kind: 'file', id: idOf(file), file });
    if (folded(file)) continue;
    const above = noteAbove(file);
    if (above) rows.push({ kind: 'note', id: `${idOf(file)}\nabove`, file, note: above });
    if (isPicture(file)) rows.push({ kind: 'picture', id: `${idOf(file)}\npicture`, file });
    const lines = linesOf(file, look.split, look.unfolded?.(file));
    for (const row of lines) rows.push(row);
    const note = noteOf(file, lines.length, look.ignoreSpace);
    if (note) rows.push({ kind: 'note', id: `${idOf(file)}\nnote`, file, note });
  }
  return rows;
}

/** guessedHeight returns how high a row probably is, in pixels. */
export function guessedHeight(row: DiffRow, first: boolean): number {
  // The head of the first file stands above the list.
  if (row.kind === 'file') return first ? 0 : 36;
  if (
    row.kind === 'comment' ||
    row.kind === 'thread' ||
    row.kind === 'writing' ||
    row.kind === 'why'
  )
    return 130;
  if (row.kind === 'picture') return 250;
  if (row.kind === 'tail') return 26;
  if (row.kind === 'rest') return 36;
  return row.kind === 'line' && row.line.kind === 'hunk' ? 26 : 20;
}

/** What was read of each file, as long as it is shown: a mark or a comment reads nothing again. */
const readers = new WeakMap<ChangedFile, DiffReader>();
const made = {
  one: new WeakMap<ChangedFile | Unfolded, DiffRow[]>(),
  two: new WeakMap<ChangedFile | Unfolded, DiffRow[]>(),
};

function kept<K extends WeakKey, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  const had = map.get(key);
  if (had !== undefined) return had;
  const value = make();
  map.set(key, value);
  return value;
}

/** readerOf returns what reads a file's diff. */
function readerOf(file: ChangedFile): DiffReader {
  // A submodule's commits are said in words.
  return kept(
    readers,
    file,
    () => new DiffReader(file.binary || file.kind === 'submodule' ? '' : file.patch),
  );
}

/** As many lines are read at a time. */
const part = 2000;

/** readPart reads a part of a file's diff ahead and returns whether all of it is read. */
export function readPart(file: ChangedFile, split: boolean): boolean {
  const reader = readerOf(file);
  reader.read(part);
  if (reader.done) linesOf(file, split, undefined);
  return reader.done;
}

function parsed(file: ChangedFile): DiffLine[] {
  const reader = readerOf(file);
  reader.read();
  return reader.lines;
}

function linesOf(file: ChangedFile, split: boolean, unfolded: Unfolded | undefined): DiffRow[] {
  return kept(split ? made.two : made.one, unfolded ?? file, () =>
    rowsOf(file, split, unfolded ?? none),
  );
}

function rowsOf(file: ChangedFile, split: boolean, unfolded: Unfolded): DiffRow[] {
  const lines = parsed(file);
  const { shown, gaps, tail } = withUnchanged(file, lines, unfolded);
  const listed = split ? pairs(shown) : shown.map((line): [DiffLine] => [line]);
  // There may be very many: nothing is copied.
  const rows = listed.map(([line, pair], n): DiffRow => {
    const row: DiffRow & { kind: 'line' } = { kind: 'line', id: lineId(file, line, n), file, line };
    if (pair) row.pair = pair;
    const gap = line.kind === 'hunk' ? gaps.get(line) : undefined;
    if (gap) row.gap = gap;
    return row;
  });
  if (tail) rows.push({ kind: 'tail', id: `${idOf(file)}\ntail`, file, gap: tail });
  return rows;
}

/** lineId names a row by what it says, so that it stays the same row when others come above it. */
function lineId(file: ChangedFile, { kind, before, after }: DiffLine, n: number): string {
  return `${idOf(file)}\n${kind === 'remark' ? `remark ${n}` : `${kind} ${before} ${after}`}`;
}

/** pairs puts removed lines beside the added ones that follow them, and unchanged ones on both sides. */
function pairs(lines: DiffLine[]): [DiffLine, Pair?][] {
  const out: [DiffLine, Pair?][] = [];
  for (let i = 0; i < lines.length;) {
    const line = lines[i]!;
    if (line.kind === 'hunk') {
      out.push([line]);
      i++;
    } else if (line.kind === 'same' || line.kind === 'remark') {
      out.push([line, [line, line]]);
      i++;
    } else {
      const [before, after, next] = changeAt(lines, i);
      for (let n = 0; n < Math.max(before.length, after.length); n++)
        out.push([tells(before[n], after[n]), [before[n], after[n]]]);
      i = next;
    }
  }
  return out;
}

/** changeAt returns the removed lines from one on, the added ones that follow, and where they end. Git's remarks are about the line above them. */
function changeAt(
  lines: DiffLine[],
  from: number,
): [before: DiffLine[], after: DiffLine[], next: number] {
  const before: DiffLine[] = [];
  const after: DiffLine[] = [];
  let side = before;
  let i = from;
  for (; i < lines.length; i++) {
    const line = lines[i]!;
    if (line.kind === 'add') side = after;
    else if (line.kind === 'del' ? after.length > 0 : line.kind !== 'remark') break;
    side.push(line);
  }
  return [before, after, i];
}

function tells(before: DiffLine | undefined, after: DiffLine | undefined): DiffLine {
  const line = after && after.kind !== 'remark' ? after : (before ?? after);
  if (!line) throw new Error('a row has a line');
  return line;
}
