import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { linesOf } from './notes';
import { diffRows } from './rows';
import { foldersOf } from './tree';

const patch =
  '@@ -1,4 +1,5 @@ f\n one\n-two\n-three\n\\ No newline at end of file\n+zwei\n+drei\n+vier\n four\n';
const file = (with_: Partial<beckon.FileDiff> = {}): beckon.FileDiff => ({
  path: 'a',
  oldPath: '',
  change: 'M',
  kind: 'file',
  similar: 0,
  oldSize: 0,
  size: 0,
  added: 3,
  removed: 2,
  mode: '',
  content: '1-2',
  binary: false,
  cut: false,
  past: false,
  pending: false,
  patch,
  ...with_,
});
const two = (one: beckon.FileDiff) =>
  diffRows(foldersOf([one]), () => false, { split: true, ignoreSpace: false });

test('in two columns what was added is beside what it replaces, and nothing is lost', () => {
  const shown = two(file()).flatMap((row) =>
    row.kind === 'line' && row.pair ? [row.pair.map((line) => line?.text)] : [],
  );
  expect(shown).toEqual([
    ['one', 'one'],
    ['two', 'zwei'],
    ['three', 'drei'],
    [' No newline at end of file', 'vier'],
    ['four', 'four'],
  ]);
});

test('a comment is on the column in which its lines were picked', () => {
  const rows = two(file());
  expect(linesOf(rows, 3, 4, 'before')).toMatchObject({
    side: 'before',
    first: 2,
    last: 3,
    quote: 'two\nthree',
  });
  expect(linesOf(rows, 3, 5, 'after')).toMatchObject({
    side: 'after',
    first: 2,
    last: 4,
    quote: 'zwei\ndrei\nvier',
  });
  expect(linesOf(rows, 3, 4)).toMatchObject({ side: 'after', first: 2, last: 3 });
  expect(linesOf(rows, 2, 2, 'before'), 'an unchanged line is what it is').toMatchObject({
    side: 'after',
    first: 1,
    quote: 'one',
  });
});

test('a file that differs in white space alone says so, one that differs in its mode does not', () => {
  const note = (with_: Partial<beckon.FileDiff>) =>
    diffRows(foldersOf([file({ patch: '', ...with_ })]), () => false, {
      split: false,
      ignoreSpace: true,
    }).flatMap((row) => (row.kind === 'note' ? [row.note] : []));
  expect(note({})).toEqual(['space']);
  expect(note({ mode: '100644 → 100755', content: '1-1' })).toEqual(['mode']);
});

test('what was read of a file is read once', () => {
  const one = file();
  const [first, again] = [two(one), two(one)];
  expect(again[1]).toBe(first[1]);
});
