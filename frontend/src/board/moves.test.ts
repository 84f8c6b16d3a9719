import { beforeEach, expect, test, vi } from 'vitest';
import { api, BeckonError, type beckon } from '../bridge';
import { lanes, store } from '../state';
import { toasts } from '../ui/toasts.svelte';
import { mayGo, moveCard, nextLane, rankAt, withCardAt } from './moves';

const task = (id: string, status: beckon.Status, rank: number) =>
  ({ id, status, rank, projectId: 'p', created: 0, updated: 0 }) as beckon.Task;

beforeEach(() => {
  for (const id of store.tasks.keys()) store.tasks.delete(id);
  toasts.dismiss();
});

test('a card is not offered a column that would refuse it', () => {
  expect(mayGo('done', 'running')).toBe(false);
  expect(mayGo('backlog', 'review')).toBe(false);
  expect(mayGo('review', 'running')).toBe(true);
  expect(mayGo('queued', 'queued')).toBe(true);
});

test('arrows skip columns that a card may not go to', () => {
  expect(nextLane('backlog', 'running', 1)).toBe('done');
  expect(nextLane('queued', 'running', 1)).toBeUndefined();
  expect(nextLane('review', 'review', -1)).toBe('running');
});

test('a place is counted without the card that moves', () => {
  const lane = [task('a', 'queued', 10), task('b', 'queued', 20), task('c', 'queued', 30)];
  expect(rankAt(lane, 'a', 1)).toBe(25);
  expect(rankAt(lane, 'x', 3)).toBe(0);
  expect(rankAt(lane, 'a', 2), 'the end of its own column').toBeGreaterThan(30);
  expect(
    rankAt(lane, 'x', 2, (one) => one.id !== 'b'),
    'between those of its group',
  ).toBe(20);
});

test('a lifted card stands where it would be dropped, and nowhere else', () => {
  const shown = withCardAt(
    lanes([task('a', 'backlog', 1), task('b', 'queued', 1)], new Map()),
    task('a', 'backlog', 1),
    'queued',
    1,
  );
  expect(shown.backlog).toEqual([]);
  expect(shown.queued.map((t) => t.id)).toEqual(['b', 'a']);
});

test('a card is in its new column before Beckon has answered', async () => {
  const a = task('a', 'backlog', 1);
  store.tasks.set('a', a);
  let answer!: (task: beckon.Task) => void;
  vi.spyOn(api, 'moveTask').mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const moving = moveCard(a, 'queued', 5);
  expect(store.tasks.get('a')).toMatchObject({ status: 'queued', rank: 5 });
  answer({ ...a, status: 'queued', rank: 7 });
  expect(await moving).toBe(true);
  expect(store.tasks.get('a')!.rank).toBe(7);
});

test('a refused move puts the card back and says why', async () => {
  const a = task('a', 'backlog', 1);
  store.tasks.set('a', a);
  vi.spyOn(api, 'moveTask').mockRejectedValue(
    new BeckonError('unavailable', 'claude was not found'),
  );
  expect(await moveCard(a, 'running', 5)).toBe(false);
  expect(store.tasks.get('a')).toBe(a);
  expect(toasts.current).toMatchObject({ tone: 'bad', text: 'Claude was not found' });
});

test('a refusal does not undo what Beckon told meanwhile', async () => {
  const a = task('a', 'backlog', 1);
  store.tasks.set('a', a);
  vi.spyOn(api, 'moveTask').mockImplementation(async () => {
    store.tasks.set('a', task('a', 'done', 9));
    throw new BeckonError('conflict', 'a task in done cannot go to queued');
  });
  await moveCard(a, 'queued', 5);
  expect(store.tasks.get('a')!.status).toBe('done');
});
