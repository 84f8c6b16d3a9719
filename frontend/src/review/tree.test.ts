import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { diffRows } from './rows';
import { filtered, foldersOf, hunkAt, nextFile, nextHunk, treeRows } from './tree';

const file = (path: string, with_: Partial<beckon.FileDiff> = {}): beckon.FileDiff => ({
  path,
  oldPath: '',
  change: 'M',
  kind: 'file',
  similar: 0,
  oldSize: 0,
  size: 0,
  added: 1,
  removed: 0,
  mode: '',
  content: '1-2',
  binary: false,
  cut: false,
  past: false,
  pending: false,
  patch: '@@ -1 +1,2 @@\n a\n+b\n@@ -9 +10 @@\n-c\n+d\n',
  ...with_,
});

test('files stand under their folders, in the order of their names', () => {
  const folders = foldersOf([
    file('z.go'),
    file('plan/b.go'),
    file('plan/a.go'),
    file('docs/x/y.md'),
  ]);
  expect(folders.map((f) => [f.path, f.files.map((x) => x.path)])).toEqual([
    ['', ['z.go']],
    ['docs/x', ['docs/x/y.md']],
    ['plan', ['plan/a.go', 'plan/b.go']],
  ]);
});

test('what cannot be shown of a file says so', () => {
  const rows = diffRows(
    foldersOf([
      file('a.bin', { binary: true, patch: '' }),
      file('b', { cut: true }),
      file('c', { change: 'R', patch: '' }),
    ]),
  );
  expect(rows.filter((r) => r.kind === 'note').map((r) => [r.file.path, r.note])).toEqual([
    ['a.bin', 'binary'],
    ['b', 'cut'],
    ['c', 'moved'],
  ]);
});

test('J and K go from hunk to hunk over the edges of files', () => {
  const rows = diffRows(foldersOf([file('a'), file('b')]));
  const hunks: number[] = [];
  for (let at = nextHunk(rows, 0, 1); at >= 0; at = nextHunk(rows, at, 1)) hunks.push(at);
  expect(hunks).toHaveLength(4);
  expect(nextHunk(rows, hunks[2]!, -1)).toBe(hunks[1]);
  expect(nextHunk(rows, hunks[0]!, -1)).toBe(-1);
});

test('a hunk reaches from its head to its last line, and is counted over all files', () => {
  const rows = diffRows(foldersOf([file('a'), file('b')]));
  const heads = rows.flatMap((row, i) =>
    row.kind === 'line' && row.line.kind === 'hunk' ? [i] : [],
  );
  expect(heads.map((head) => hunkAt(rows, head))).toEqual([
    { from: 1, to: 4, number: 1, of: 4 },
    { from: 4, to: 7, number: 2, of: 4 },
    { from: 8, to: 11, number: 3, of: 4 },
    { from: 11, to: 14, number: 4, of: 4 },
  ]);
  expect(hunkAt(rows, 0)).toBeUndefined();
  expect(hunkAt(rows, -1)).toBeUndefined();
});

test('no two rows share an id', () => {
  const rows = diffRows(foldersOf([file('a'), file('a/b')]));
  expect(new Set(rows.map((r) => r.id)).size).toBe(rows.length);
});

test('a folded file leaves its name, and keys go from file to file', () => {
  const rows = diffRows(foldersOf([file('a'), file('b'), file('c')]), (one) => one.path === 'b');
  expect(rows.filter((row) => row.file.path === 'b').map((row) => row.kind)).toEqual(['file']);
  const b = nextFile(rows, 0, 1);
  expect(rows[b]).toMatchObject({ kind: 'file', file: { path: 'b' } });
  expect(rows[nextFile(rows, b, 1)]).toMatchObject({ file: { path: 'c' } });
  expect(nextFile(rows, b, -1)).toBe(0);
  expect(nextFile(rows, rows.length - 1, 1)).toBe(-1);
});

test('the filter takes words of the whole path, in any order', () => {
  const folders = foldersOf([
    file('plan/ranges.go'),
    file('plan/ranges_test.go'),
    file('docs/query.md'),
  ]);
  const paths = (typed: string) =>
    filtered(folders, typed).flatMap((one) => one.files.map((f) => f.path));
  expect(paths('  ')).toHaveLength(3);
  expect(paths('RANGES plan')).toEqual(['plan/ranges.go', 'plan/ranges_test.go']);
  expect(paths('query')).toEqual(['docs/query.md']);
  expect(paths('nothing')).toEqual([]);
});

test('the tree has a row for each folder with a name and for each file', () => {
  const rows = treeRows(foldersOf([file('z.go'), file('plan/b.go'), file('plan/a.go')]));
  expect(rows.map((row) => row.file?.path ?? row.folder)).toEqual([
    'z.go',
    'plan',
    'plan/a.go',
    'plan/b.go',
  ]);
});
