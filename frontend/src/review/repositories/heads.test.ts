import { expect, test } from 'vitest';
import type { beckon } from '../../bridge';
import type { ChangedFile } from '../file';
import { diffRows } from '../rows';
import { foldersOf, nextRepository } from '../tree';
import { headRows } from './heads';
import { type ReadPart, whole } from './read';

const file = (path: string, repository?: string) =>
  ({
    path,
    oldPath: '',
    patch: '',
    mode: '',
    content: '1-2',
    ...(repository && { repository }),
  }) as ChangedFile;
const diff = (files: ChangedFile[]) =>
  ({
    base: 'main',
    files,
    omitted: 1,
    uncommitted: [],
    conflicts: ['x'],
    behind: 0,
  }) as unknown as beckon.ReviewDiff;
const part = (repository: string, name: string, more: Partial<ReadPart> = {}) =>
  ({
    id: repository ? `t/${repository}` : 't',
    name,
    repository,
    state: 'clean',
    failed: '',
    ...more,
  }) as ReadPart;

const parts = [
  part('proto', 'proto', { diff: diff([file('gen/a.go'), file('b.proto')]) }),
  part('docs', 'docs', { state: 'unchanged' }),
  part('', 'kestrel', { diff: diff([file('gen/a.go')]) }),
];
const all = whole('t', parts);
const shown = (typed: string, folded: string[] = []) =>
  headRows(parts, foldersOf(all.files), typed, ({ name }) => folded.includes(name)).map((row) =>
    'file' in row ? row.file.path : `${row.part.name}${row.open ? '' : ' folded'}`,
  );

test('files of one path in two repositories are two files, in the order of the merge', () => {
  expect(all.files.map(({ repository, path }) => [repository, path])).toEqual([
    ['proto', 'gen/a.go'],
    ['proto', 'b.proto'],
    [undefined, 'gen/a.go'],
  ]);
  expect(all.omitted).toBe(2);
  expect(all.conflicts, 'each repository has its own').toEqual([]);
  const ids = diffRows(foldersOf(all.files)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the tree has a head for each repository, the unchanged ones last', () => {
  expect(shown('')).toEqual(['proto', 'b.proto', 'gen/a.go', 'kestrel', 'gen/a.go', 'docs']);
  expect(shown('', ['proto'])).toEqual(['proto folded', 'kestrel', 'gen/a.go', 'docs']);
});

test('a filter finds files in all repositories, and repo: takes some of them', () => {
  expect(shown('gen', ['proto'])).toEqual(['proto', 'gen/a.go', 'kestrel', 'gen/a.go']);
  expect(shown('repo:PRO')).toEqual(['proto', 'b.proto', 'gen/a.go']);
  expect(shown('a.go repo:kes')).toEqual(['kestrel', 'gen/a.go']);
  expect(shown('repo:docs')).toEqual(['docs']);
  expect(shown('repo:none')).toEqual([]);
});

test('keys go to the first file of the repository beside', () => {
  const rows = diffRows(foldersOf(all.files));
  const path = (at: number) => (at < 0 ? undefined : rows[at]!.id);
  expect(path(nextRepository(rows, 0, 1))).toBe('gen/a.go');
  expect(path(nextRepository(rows, rows.length - 1, -1))).toBe('proto//b.proto');
  expect(nextRepository(rows, 0, -1)).toBe(-1);
  expect(nextRepository(rows, rows.length - 1, 1)).toBe(-1);
});
