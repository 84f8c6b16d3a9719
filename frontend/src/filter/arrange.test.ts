import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import type { Lanes } from '../state/views';
import { arrange, groupOf } from './arrange';
import { plain, readDisplay, sameDisplay, type Display } from './display';

const task = (id: string, more: Partial<beckon.Task>) =>
  ({
    id,
    labels: [],
    priority: 0,
    projectId: 'p1',
    created: 0,
    updated: 0,
    ...more,
  }) as beckon.Task;
const cards = [
  task('a', { labels: ['perf', 'api'], priority: 1, projectId: 'p2', created: 3, updated: 1 }),
  task('b', { labels: ['docs'], priority: 4, created: 1, updated: 3 }),
  task('c', { priority: 4, projectId: 'p2', created: 2, updated: 2 }),
];
const lanes: Lanes = { backlog: cards, queued: [], running: cards, review: [], done: [] };
const projects = [
  { id: 'p1', color: 1 },
  { id: 'p2', color: 2 },
] as beckon.Project[];
const facts = { waiting: new Map([['c', true]]), runs: new Map(), models: new Map() };
const order = (lane: 'backlog' | 'running', display: Partial<Display>) => {
  const arranged = arrange(lanes, { ...plain, ...display }, facts, projects);
  return arranged[lane].map((one) => one.id).join('');
};

test.each<[Partial<Display>, string, string]>([
  [{}, 'abc', 'cab'],
  [{ sort: 'priority' }, 'bca', 'cba'],
  [{ sort: 'updated' }, 'bca', 'cba'],
  [{ sort: 'created' }, 'acb', 'cab'],
  [{ group: 'project' }, 'bac', 'bca'],
  [{ group: 'priority' }, 'bca', 'cba'],
  [{ group: 'label' }, 'abc', 'abc'],
])(
  '%o puts the cards in order, and who needs the person first in each group of Running',
  (display, backlog, running) => {
    expect([order('backlog', display), order('running', display)]).toEqual([backlog, running]);
  },
);

test('a card is in one group, so that none is counted twice', () => {
  const names = {
    projects: new Map([
      ['p1', 'kestrel'],
      ['p2', 'orchard'],
    ]),
  };
  const group = (one: beckon.Task, by: 'label' | 'project' | 'priority') =>
    groupOf(one, by, names, () => 2);
  expect(group(cards[0]!, 'label').label).toBe('api');
  expect(group(cards[2]!, 'label').label).toBe('No label');
  expect(group(cards[0]!, 'project')).toEqual({ key: 'project p2', label: 'orchard', color: 2 });
  expect(group(cards[1]!, 'priority').label).toBe('Urgent');
});

test('a display that was kept wrongly is as on a board that nobody changed', () => {
  for (const kept of [
    undefined,
    null,
    7,
    [],
    { group: 'owner', sort: 3, shows: 'all', hideDone: 'yes' },
  ])
    expect(readDisplay(kept)).toEqual(plain);
  expect(
    readDisplay({ group: 'label', shows: ['branch', 'avatar', 'labels'], hideDone: true }),
  ).toEqual({ ...plain, group: 'label', shows: ['labels', 'branch'], hideDone: true });
});

test('the order in which parts were chosen makes no other display', () => {
  expect(
    sameDisplay({ ...plain, shows: ['time', 'labels'] }, { ...plain, shows: ['labels', 'time'] }),
  ).toBe(true);
  expect(sameDisplay(plain, { ...plain, hideEmpty: true })).toBe(false);
});
