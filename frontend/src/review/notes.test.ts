import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { firstChanged, linesOf, openOn, withinHunk, withNotes } from './notes';
import type { DiffRow } from './row';
import { diffRows } from './rows';
import { hunkAt } from './tree';

const patch =
  '@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+drei\n four\n@@ -10,2 +11,2 @@\n ten\n-eleven\n+elf';
const file = (path: string, more: Partial<beckon.FileDiff> = {}) =>
  ({
    path,
    oldPath: '',
    change: 'M',
    kind: 'file',
    similar: 0,
    oldSize: 0,
    size: 0,
    mode: '',
    patch,
    content: '1-2',
    binary: false,
    cut: false,
    ...more,
  }) as beckon.FileDiff;
const rowsOf = (...files: beckon.FileDiff[]) => diffRows([{ path: '', files }]);
const comment = (id: string, more: Partial<beckon.Comment>) =>
  ({
    id,
    path: 'a',
    side: 'after',
    first: 1,
    last: 1,
    resolved: 0,
    outdated: false,
    ...more,
  }) as beckon.Comment;
const shown = (rows: DiffRow[]) =>
  rows.map((row) =>
    row.kind === 'line' ? row.line.text : row.kind === 'comment' ? `#${row.comment.id}` : row.kind,
  );

test('a comment is below the last of its lines, on the side it is about', () => {
  const rows = withNotes(
    rowsOf(file('a')),
    [comment('new', { first: 2, last: 3 }), comment('old', { side: 'before', first: 2, last: 2 })],
    undefined,
  );
  expect(shown(rows).slice(0, 8)).toEqual([
    'file',
    '',
    'one',
    'two',
    '#old',
    'zwei',
    'drei',
    '#new',
  ]);
});

test('a comment whose lines are not shown is behind its file, and one whose file is not, at the end', () => {
  const rows = withNotes(
    rowsOf(file('a'), file('b')),
    [
      comment('far', { first: 500, last: 500 }),
      comment('gone', { path: 'c' }),
      comment('outdated', { outdated: true }),
    ],
    undefined,
  );
  expect(shown(rows).slice(10, 15)).toEqual(['elf', 'lost', '#far', '#outdated', 'file']);
  expect(shown(rows).slice(-3)).toEqual(['elf', 'lost', '#gone']);
});

test('a folded file shows no comments, and the one being written is shown once', () => {
  const folded = diffRows([{ path: '', files: [file('a')] }], () => true);
  expect(shown(withNotes(folded, [comment('x', {})], undefined))).toEqual(['file']);
  const lines = linesOf(rowsOf(file('a')), 4, 5)!;
  const rows = withNotes(rowsOf(file('a')), [comment('draft', { first: 2, last: 3 })], {
    id: 'draft',
    lines,
    text: 'Hm',
  });
  expect(shown(rows).filter((one) => one === 'writing' || one === '#draft')).toEqual(['writing']);
});

test('a comment above does not end the hunk that one is at', () => {
  const rows = withNotes(rowsOf(file('a')), [comment('new', { first: 2, last: 2 })], undefined);
  expect(hunkAt(rows, 1)).toMatchObject({ from: 1, to: 8 });
});

test('lines are those after the change, unless the first was removed', () => {
  const rows = rowsOf(file('a', { oldPath: 'was', change: 'R' }));
  expect(linesOf(rows, 2, 5)).toEqual({
    repository: '',
    path: 'a',
    side: 'after',
    first: 1,
    last: 3,
    quote: 'one\nzwei\ndrei',
    content: '1-2',
  });
  expect(linesOf(rows, 5, 2), 'whichever end comes first').toMatchObject({
    side: 'after',
    first: 1,
    last: 3,
  });
  expect(linesOf(rows, 3, 3)).toEqual({
    repository: '',
    path: 'was',
    side: 'before',
    first: 2,
    last: 2,
    quote: 'two',
    content: '1-2',
  });
});

test('lines stay within their hunk', () => {
  const rows = rowsOf(file('a'));
  expect(withinHunk(rows, 4, rows.length - 1)).toBe(6);
  expect(withinHunk(rows, 4, 0)).toBe(2);
  expect([firstChanged(rows, 1), firstChanged(rows, 7)]).toEqual([3, 9]);
});

test('a file counts its open comments', () => {
  expect(
    openOn(
      [comment('1', {}), comment('2', { resolved: 5 }), comment('3', { path: 'b' })],
      file('a'),
    ),
  ).toBe(1);
});

test('a discussion stands at its lines before the comments there, one on a whole file below its name', () => {
  const thread = (id: string, more: Partial<beckon.Thread>) =>
    ({ ...comment(id, {}), said: [], ...more }) as unknown as beckon.Thread;
  const rows = withNotes(
    rowsOf(file('a')),
    [
      thread('t', { first: 2, last: 2 }),
      thread('file', { first: 0, last: 0 }),
      thread('all', { path: '', first: 0, last: 0 }),
      comment('mine', { first: 2, last: 2 }),
    ],
    undefined,
  );
  const named = rows.map((row) => (row.kind === 'thread' ? `@${row.thread.id}` : shown([row])[0]!));
  expect(named.slice(0, 8)).toEqual(['file', '@file', '', 'one', 'two', 'zwei', '@t', '#mine']);
  expect(named.slice(-2)).toEqual(['lost', '@all']);
});
