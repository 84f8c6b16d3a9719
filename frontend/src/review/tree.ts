// Changed files, grouped by folder, and their diffs as one list of rows.

import type { beckon } from '../bridge';
import { type DiffLine, parseDiff } from '../text/diff';

/** Folder is the files of one folder; "" for the top. */
export interface Folder {
  path: string;
  files: beckon.FileDiff[];
}

/** foldersOf groups files by their folder, both in the order of their names. */
export function foldersOf(files: beckon.FileDiff[]): Folder[] {
  const folders = new Map<string, beckon.FileDiff[]>();
  for (const file of files) {
    const path = dirOf(file.path);
    folders.set(path, [...(folders.get(path) ?? []), file]);
  }
  return [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, list]) => ({ path, files: list.sort((a, b) => (a.path < b.path ? -1 : 1)) }));
}

/** dirOf returns the folder of a path, without its last slash. */
export function dirOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** nameOf returns the last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** DiffRow is one row of the whole review. */
export type DiffRow =
  | { kind: 'file'; id: string; file: beckon.FileDiff }
  | { kind: 'line'; id: string; file: beckon.FileDiff; line: DiffLine }
  | { kind: 'note'; id: string; file: beckon.FileDiff; note: 'binary' | 'cut' | 'empty' };

/** filtered keeps the files whose path has all words that were typed. */
export function filtered(folders: Folder[], typed: string): Folder[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return folders;
  const kept = folders.map(({ path, files }) => ({ path, files: files.filter((file) => words.every((word) => file.path.toLowerCase().includes(word))) }));
  return kept.filter(({ files }) => files.length > 0);
}

/** diffRows lists every row of every file, in the order of the tree; of the folded ones only the name. */
export function diffRows(folders: Folder[], folded: (file: beckon.FileDiff) => boolean = () => false): DiffRow[] {
  const rows: DiffRow[] = [];
  for (const file of folders.flatMap((f) => f.files)) {
    rows.push({ kind: 'file', id: file.path, file });
    if (folded(file)) continue;
    const lines = file.binary ? [] : parseDiff(file.patch);
    for (const [n, line] of lines.entries()) rows.push({ kind: 'line', id: `${file.path}\n${n}`, file, line });
    const note = file.binary ? 'binary' : file.cut ? 'cut' : lines.length === 0 ? 'empty' : null;
    if (note) rows.push({ kind: 'note', id: `${file.path}\nnote`, file, note });
  }
  return rows;
}

/** nextFile returns the row of the file after (1) or before (-1) the one of a row; before is its own, where the row is below it. */
export function nextFile(rows: DiffRow[], from: number, step: 1 | -1): number {
  for (let i = from + step; i >= 0 && i < rows.length; i += step) {
    if (rows[i]!.kind === 'file') return i;
  }
  return -1;
}

/** nextHunk returns the row of the hunk after (1) or before (-1) a row, or -1. */
export function nextHunk(rows: DiffRow[], from: number, step: 1 | -1): number {
  for (let i = from + step; i >= 0 && i < rows.length; i += step) {
    if (isHunk(rows[i])) return i;
  }
  return -1;
}

/** Hunk is where a hunk stands among all: its rows, and its number of how many. */
export interface Hunk {
  from: number;
  /** The row behind its last one. */
  to: number;
  number: number;
  of: number;
}

/** hunkAt returns the hunk whose head is a row; undefined where that row is no head. */
export function hunkAt(rows: DiffRow[], at: number): Hunk | undefined {
  if (!isHunk(rows[at])) return undefined;
  const end = rows.findIndex((row, i) => i > at && (row.kind !== 'line' || isHunk(row)));
  return { from: at, to: end < 0 ? rows.length : end, number: rows.slice(0, at + 1).filter(isHunk).length, of: rows.filter(isHunk).length };
}

function isHunk(row: DiffRow | undefined): boolean {
  return row?.kind === 'line' && row.line.kind === 'hunk';
}
