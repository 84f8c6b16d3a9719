import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { columnOf, comes, orderOf, proposed, sentTo, sumsOf, takenFor, ticked } from './rows';

const row = (state: string, same = ''): beckon.ImportRow => ({
  title: state,
  projectId: 'p',
  state,
  labels: [],
  priority: 0,
  key: '',
  branch: '',
  hasText: false,
  same,
});

const found: beckon.ImportFound = {
  id: 'list',
  origin: '',
  columns: [],
  states: [
    { name: 'todo', count: 2, to: 'backlog' },
    { name: 'done', count: 1, to: 'done' },
    { name: 'cancelled', count: 1, to: '' },
  ],
  rows: [row('todo'), row('todo', 'KES-1'), row('done'), row('cancelled')],
  refusals: [],
  refused: 0,
};

test('what is here already and what is left out stays out', () => {
  const choices = proposed(found);
  expect(sumsOf(found.rows, choices)).toEqual({ coming: 2, same: 1, out: 1 });
  expect(orderOf(found, choices)).toEqual({
    id: 'list',
    picks: [
      { row: 0, to: 'backlog' },
      { row: 2, to: 'done' },
    ],
  });
});

test('a tick brings a row in', () => {
  const choices = ticked(proposed(found), [1, 3], true);
  expect(sumsOf(found.rows, choices)).toEqual({ coming: 4, same: 0, out: 0 });
  expect(columnOf(found.rows[3]!, choices)).toBe('backlog');
  expect(comes(found.rows[0]!, 0, ticked(choices, [0], false))).toBe(false);
});

test('another column for a state moves its rows, and leaves what is here already', () => {
  const choices = sentTo(ticked(proposed(found), [0], false), found.rows, 'todo', 'done');
  expect(orderOf(found, choices).picks).toEqual([
    { row: 0, to: 'done' },
    { row: 2, to: 'done' },
  ]);
  expect(sumsOf(found.rows, sentTo(choices, found.rows, 'todo', '')).coming).toBe(1);
});

test('a column is taken for one field, and all of one name for labels', () => {
  const columns: beckon.ImportTableColumn[] = [
    { name: 'Summary', field: 'title' },
    { name: 'Other', field: '' },
    { name: 'Labels', field: '' },
    { name: 'Labels', field: '' },
  ];
  expect(takenFor(columns, 'title', 'Other')).toEqual(['', 'title', '', '']);
  expect(takenFor(columns, 'labels', 'Labels')).toEqual(['title', '', 'labels', 'labels']);
  expect(takenFor(columns, 'title', '')).toEqual(['', '', '', '']);
});
