// Changed files, grouped by folder, and the ways through their rows.

import type { ChangedFile } from './file';
import type { DiffRow } from './row';

/** Folder is the files of one folder of a repository; "" for the top, and for the task's own repository. */
export interface Folder {
  repository?: string;
  path: string;
  files: ChangedFile[];
}

/** foldersOf groups files by their folder, both in the order of their names; repositories stay in the order in which they come. */
export function foldersOf(files: ChangedFile[]): Folder[] {
  const repositories = new Set(files.map((file) => file.repository ?? ''));
  return [...repositories].flatMap((repository) =>
    foldersIn(
      repository,
      files.filter((file) => (file.repository ?? '') === repository),
    ),
  );
}

function foldersIn(repository: string, files: ChangedFile[]): Folder[] {
  const folders = new Map<string, ChangedFile[]>();
  for (const file of files) {
    const path = dirOf(file.path);
    const list = folders.get(path);
    if (list) list.push(file);
    else folders.set(path, [file]);
  }
  return [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, list]) => ({
      repository,
      path,
      files: list.sort((a, b) => (a.path < b.path ? -1 : 1)),
    }));
}

/** dirOf returns the folder of a path, without its last slash. */
export function dirOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** nameOf returns the last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** filtered keeps the files whose path has all words that were typed. */
export function filtered(folders: Folder[], typed: string): Folder[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return folders;
  const kept = folders.map(({ repository, path, files }) => ({
    repository,
    path,
    files: files.filter((file) => words.every((word) => file.path.toLowerCase().includes(word))),
  }));
  return kept.filter(({ files }) => files.length > 0);
}

/** TreeRow is a row of the tree: the name of a folder, or a file. */
export type TreeRow = { folder: string; file?: undefined } | { folder: string; file: ChangedFile };

/** treeRows lists folders with their files below them; the files at the top have none above them. */
export function treeRows(folders: Folder[]): TreeRow[] {
  return folders.flatMap(({ path, files }) => [
    ...(path ? [{ folder: path }] : []),
    ...files.map((file) => ({ folder: path, file })),
  ]);
}

/** nextFile returns the row of the file after (1) or before (-1) the one of a row; before is its own, where the row is below it. */
export function nextFile(rows: DiffRow[], from: number, step: 1 | -1): number {
  for (let i = from + step; i >= 0 && i < rows.length; i += step) {
    if (rows[i]!.kind === 'file') return i;
  }
  return -1;
}

/** nextRepository returns the row of the first file of the repository after (1) or before (-1) that of a row, or -1. */
export function nextRepository(rows: DiffRow[], from: number, step: 1 | -1): number {
  const of = (row: DiffRow | undefined) => row?.file.repository ?? '';
  const firsts = rows.flatMap((row, i) => (i === 0 || of(row) !== of(rows[i - 1]) ? [i] : []));
  const at = firsts.findLastIndex((first) => first <= from);
  return firsts[at + step] ?? -1;
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
  const end = rows.findIndex(
    (row, i) =>
      i > at &&
      (row.kind === 'file' ||
        row.kind === 'note' ||
        row.kind === 'picture' ||
        row.kind === 'tail' ||
        row.kind === 'lost' ||
        isHunk(row)),
  );
  let [number, of] = [0, 0];
  for (const [i, row] of rows.entries()) {
    if (!isHunk(row)) continue;
    of++;
    if (i <= at) number++;
  }
  return { from: at, to: end < 0 ? rows.length : end, number, of };
}

function isHunk(row: DiffRow | undefined): boolean {
  return row?.kind === 'line' && row.line.kind === 'hunk';
}

const mostInMenu = 200;

/** around returns as many files as a menu holds, those before and behind one. */
export function around(files: ChangedFile[], here: ChangedFile | undefined): ChangedFile[] {
  const from = Math.max(
    0,
    Math.min(here ? files.indexOf(here) - mostInMenu / 2 : 0, files.length - mostInMenu),
  );
  return files.slice(from, from + mostInMenu);
}
