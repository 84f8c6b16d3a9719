import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { parseDiff } from '../text/diff';
import { none, type Unfolded, withUnchanged } from './unchanged';

const patch = '@@ -11,4 +11,5 @@ f\n a\n b\n c\n+new\n d\n@@ -50,4 +51,3 @@\n-old\n x\n y\n z\n';
const file = (with_: Partial<beckon.FileDiff> = {}): beckon.FileDiff => ({
  path: 'a',
  oldPath: '',
  change: 'M',
  kind: 'file',
  similar: 0,
  oldSize: 0,
  size: 0,
  added: 1,
  removed: 1,
  mode: '',
  content: '1-2',
  binary: false,
  cut: false,
  past: false,
  pending: false,
  patch,
  ...with_,
});
const look = (one: beckon.FileDiff, unfolded: Unfolded = none) =>
  withUnchanged(one, parseDiff(one.patch), unfolded);
const lines = new Map(Array.from({ length: 60 }, (_, i) => [i + 1, `line ${i + 1}`]));

test('what a diff leaves out is known above each hunk and at the end', () => {
  const { gaps, tail } = look(file());
  expect([...gaps.values()]).toEqual([
    { nth: 0, first: 1, last: 10 },
    { nth: 1, first: 16, last: 50 },
  ]);
  expect(tail).toEqual({ nth: 2, first: 54, last: Infinity });
});

test('lines that are shown have their numbers on both sides, and the rest of the gap stays', () => {
  const opened = new Map([
    [1, { below: 2, above: 1 }],
    [2, { below: 7, above: 0 }],
  ]);
  const { shown, gaps, tail } = look(file(), { opened, lines, total: 60 });
  const same = shown.filter((line) => line.text.startsWith('line'));
  expect(same.slice(0, 3).map(({ before, after, text }) => [before, after, text])).toEqual([
    [15, 16, 'line 16'],
    [16, 17, 'line 17'],
    [49, 50, 'line 50'],
  ]);
  expect(same.slice(3).map(({ before, after }) => [before, after])).toEqual(
    [54, 55, 56, 57, 58, 59, 60].map((n) => [n, n]),
  );
  expect([...gaps.values()]).toEqual([
    { nth: 0, first: 1, last: 10 },
    { nth: 1, first: 18, last: 49 },
  ]);
  expect(tail, 'the file has ended').toBeUndefined();
});

test('a gap that is shown whole is none any more', () => {
  const { gaps } = look(file(), {
    opened: new Map([[0, { below: 10, above: 0 }]]),
    lines,
    total: 60,
  });
  expect([...gaps.values()].map((gap) => gap.nth)).toEqual([1]);
});

test('where nothing was left out nothing is offered', () => {
  expect(look(file({ change: 'A', patch: '@@ -0,0 +1 @@\n+a\n' })).tail).toBeUndefined();
  expect(look(file({ patch: '@@ -1,3 +0,0 @@\n-a\n-b\n-c\n' })).tail).toBeUndefined();
  expect(
    look(file({ patch: '@@ -1,2 +1,2 @@\n-a\n+b\n c\n' })).tail,
    'a diff ends with three unchanged lines where there are any',
  ).toBeUndefined();
  expect(
    look(file({ mode: '100644 → 120000', patch: '@@ -1 +0,0 @@\n-x\n@@ -0,0 +1 @@\n+a\n' })).gaps
      .size,
  ).toBe(0);
});
