import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { commitsOf, noteAbove, noteOf, noteText, pointerOf } from './kinds';
import { diffRows } from './rows';
import { foldersOf } from './tree';

const file = (with_: Partial<beckon.FileDiff> = {}): beckon.FileDiff => ({
  path: 'a',
  oldPath: '',
  change: 'M',
  kind: 'file',
  similar: 0,
  oldSize: 0,
  size: 0,
  added: 0,
  removed: 0,
  mode: '',
  content: '1-2',
  binary: false,
  cut: false,
  past: false,
  pending: false,
  patch: '',
  ...with_,
});
const said = (one: beckon.FileDiff, lines = 0) =>
  [noteAbove(one), noteOf(one, lines, false)].flatMap((note) =>
    note ? [noteText(one, note)] : [],
  );
const pointer = (line: string) =>
  `@@ -1,3 +1,3 @@\n version https://git-lfs.github.com/spec/v1\n-oid sha256:4d\n+oid sha256:5e\n${line}`;

test.each<[string, Partial<beckon.FileDiff>, string[]]>([
  ['a binary', { binary: true, oldSize: 12_000, size: 15_000 }, ['Binary file, 12 KB → 15 KB.']],
  ['a binary that is new', { binary: true, change: 'A', size: 812 }, ['Binary file, 812 B.']],
  [
    'a binary that is gone',
    { binary: true, change: 'D', oldSize: 1_400_000 },
    ['Binary file, 1 MB.'],
  ],
  [
    'a binary that is not here',
    { binary: true, oldSize: -1, size: 4 },
    ['Binary file, not shown.'],
  ],
  [
    'a rename',
    { change: 'R', oldPath: 'b', similar: 100 },
    ['Renamed without a change in its lines.'],
  ],
  ['a mode', { mode: '100644 → 100755', content: '1-1' }, ['Made executable.']],
  ['a mode back', { mode: '100755 → 100644', content: '1-1' }, ['No longer executable.']],
  [
    'a long one',
    { cut: true, added: 9, removed: 3, patch: '@@ -1,3 +1,9 @@\n-a\n+b\n same\n+c' },
    ['9 more changed lines of this file aren’t shown.'],
  ],
  [
    'one with a long line',
    { cut: true, added: 1, patch: '@@ -0,0 +1 @@\n+aa' },
    ['The rest of this file’s diff is too long to show.'],
  ],
  ['an empty file', { change: 'A' }, ['An empty file.']],
  [
    'a link',
    { kind: 'link', change: 'A', patch: '@@ -0,0 +1 @@\n+/etc\n' },
    ['A symbolic link. Its line is where it leads.'],
  ],
  [
    'a file that became a link',
    { kind: 'link', mode: '100644 → 120000' },
    ['A file that became a symbolic link.'],
  ],
  [
    'a link that became a file',
    { mode: '120000 → 100644' },
    ['A symbolic link that became a file.'],
  ],
  [
    'a submodule that moved',
    {
      kind: 'submodule',
      patch: '@@ -1 +1 @@\n-Subproject commit 1234567890\n+Subproject commit abcdef0123\n',
    },
    ['Submodule, from commit 1234567 to abcdef0.'],
  ],
  [
    'a submodule that is gone',
    { kind: 'submodule', change: 'D', patch: '@@ -1 +0,0 @@\n-Subproject commit 1234567890\n' },
    ['Submodule, removed. It was at commit 1234567.'],
  ],
  [
    'a pointer',
    { patch: pointer('-size 12345\n+size 20000\n') },
    ['A pointer of Git LFS. The file itself isn’t shown: 13 KB → 20 KB.'],
  ],
  [
    'a pointer of the same size',
    { patch: pointer(' size 12345\n') },
    ['A pointer of Git LFS. The file itself isn’t shown: 13 KB → 13 KB.'],
  ],
  [
    'a pointer that is new',
    {
      change: 'A',
      patch:
        '@@ -0,0 +1,3 @@\n+version https://git-lfs.github.com/spec/v1\n+oid sha256:4d\n+size 5\n',
    },
    ['A pointer of Git LFS. The file itself has 5 B and isn’t shown.'],
  ],
])('%s is said in words', (_, with_, says) => {
  expect(said(file(with_), with_.patch || with_.mode?.includes('12') ? 1 : 0)).toEqual(says);
});

test('lines that only look like a pointer are lines', () => {
  expect(
    pointerOf(file({ patch: '@@ -1 +1 @@\n+see\n+version https://git-lfs.github.com/spec/v1\n' })),
  ).toBeUndefined();
  expect(commitsOf(file({ patch: '@@ -1 +1 @@\n+Subproject commit ../../x\n' }))).toEqual({
    before: undefined,
    after: undefined,
  });
});

test('an image has a row of its own, and a drawn one its lines too', () => {
  const kinds = (one: beckon.FileDiff) => diffRows(foldersOf([one])).map((row) => row.kind);
  expect(kinds(file({ path: 'a.png', binary: true }))).toEqual(['file', 'picture']);
  expect(kinds(file({ path: 'a.svg', change: 'A', patch: '@@ -0,0 +1 @@\n+<svg/>\n' }))).toEqual([
    'file',
    'picture',
    'line',
    'line',
  ]);
  expect(kinds(file({ path: 'link.png', kind: 'link', binary: true }))).not.toContain('picture');
});
