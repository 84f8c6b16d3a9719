import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { findTasks, match } from './rank';

const task = (key: string, title: string, more: Partial<beckon.Task> = {}) =>
  ({
    id: key,
    key,
    title,
    labels: [],
    status: 'backlog',
    updated: 0,
    ...more,
  }) as unknown as beckon.Task;
const find = (typed: string, tasks: beckon.Task[], waits: string[] = []) =>
  findTasks(typed, tasks, (one) => waits.includes(one.key), 10).found.map((one) => one.task.key);

test('what is typed is found as the beginning, as words, anywhere, and as first letters', () => {
  expect(match('merge', 'Merge duplicates')).toEqual({ tier: 1, marks: [0, 5] });
  expect(match('ite mer', 'Bound memory in the merge iterator')).toEqual({
    tier: 2,
    marks: [20, 23, 26, 29],
  });
  expect(match('emor', 'Bound memory')).toEqual({ tier: 3, marks: [7, 11] });
  expect(match('bmi', 'Bound memory in the merge iterator')).toEqual({
    tier: 4,
    marks: [0, 1, 6, 7, 13, 14],
  });
});

test('letters that only happen to be there in that order find nothing', () => {
  expect(match('bdy', 'Bound memory in the merge iterator')).toBeUndefined();
});

test('a task is found by its key, its number, its title and its label, whatever its state', () => {
  const tasks = [
    task('KES-47', 'Reject ranges'),
    task('KES-4', 'Other', { labels: ['merge-first'] }),
    task('LED-47', 'Merge payees', { status: 'archived' }),
  ];
  expect(find('kes-47', tasks)).toEqual(['KES-47']);
  expect(find('47', tasks)).toEqual(['KES-47', 'LED-47']);
  expect(find('kes', tasks)).toEqual(['KES-47', 'KES-4']);
  expect(find('merge', tasks)).toEqual(['LED-47', 'KES-4']);
});

test('of equal finds those that wait come first, then as their columns go, the newest first', () => {
  const tasks = [
    task('A-1', 'Fix it', { status: 'done', updated: 9 }),
    task('A-2', 'Fix it', { status: 'backlog', updated: 1 }),
    task('A-3', 'Fix it', { status: 'backlog', updated: 2 }),
    task('A-4', 'Fix it', { status: 'running' }),
  ];
  expect(find('fix', tasks, ['A-2'])).toEqual(['A-2', 'A-4', 'A-3', 'A-1']);
});

test('of many tasks all are counted and the best are listed', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => task(`A-${i}`, `Fix the flaky test ${i}`));
  const { found, count } = findTasks('flaky', many, () => false, 6);
  expect([found.length, count]).toEqual([6, 10_000]);
});
