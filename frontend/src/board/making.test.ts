import { beforeEach, expect, test, vi } from 'vitest';
import { api, type beckon } from '../bridge';
import { toasts } from '../ui/toasts.svelte';
import { making } from './making';

const draft = { title: 'Spend', status: 'queued' } as beckon.NewTask;
const money = { usd: 5, tokens: 0 };
let steps: string[];

beforeEach(() => {
  vi.restoreAllMocks();
  steps = [];
  vi.spyOn(api, 'createTask').mockImplementation(async ({ status }) => {
    steps.push(`create ${status}`);
    return { id: 'a', key: 'KES-1', status } as beckon.Task;
  });
  vi.spyOn(api, 'setBudget').mockImplementation(async (_scope, id) => {
    steps.push(`budget ${id}`);
  });
  vi.spyOn(api, 'moveTask').mockImplementation(async (id, status) => {
    steps.push(`move ${status}`);
    return { id, key: 'KES-1', status } as beckon.Task;
  });
});

test('a task is queued behind its budget, and at once without one', async () => {
  await making(draft, money, () => steps.push('made'))();
  await making(draft, { usd: 0, tokens: 0 }, () => steps.push('made'))();
  expect(steps).toEqual([
    'create backlog',
    'made',
    'budget a',
    'move queued',
    'create queued',
    'made',
  ]);
});

test('a budget that cannot be set leaves one card in the backlog, and says so', async () => {
  vi.mocked(api.setBudget).mockRejectedValue(new Error('no'));
  await making(draft, money, () => steps.push('made'))();
  expect(steps).toEqual(['create backlog', 'made']);
  expect(toasts.current).toMatchObject({ tone: 'bad', text: expect.stringContaining('KES-1') });
});

test('what could not be queued is not made twice', async () => {
  vi.mocked(api.moveTask).mockRejectedValueOnce(new Error('untrusted'));
  const make = making(draft, money, () => steps.push('made'));
  await expect(make()).rejects.toThrow('untrusted');
  await make();
  expect(steps).toEqual(['create backlog', 'made', 'budget a', 'move queued']);
});
