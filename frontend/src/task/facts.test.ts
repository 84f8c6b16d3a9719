import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { spentOf, standOf } from './facts';

const spent = { tokens: 100, costUsd: 1, workedMs: 1000 };
const task = (with_: Partial<beckon.Task>) => ({ status: 'review', session: 's', trouble: '', spent, ...with_ }) as beckon.Task;
const run = (with_: Partial<beckon.Run>) =>
  ({ phase: 'ended', outcome: 'succeeded', started: 5000, spent: { tokens: 5, costUsd: 0.5, workedMs: 0 }, ...with_ }) as beckon.Run;

test('who waits for the person comes before what went wrong, and that before the column', () => {
  expect(standOf(task({ status: 'running' }), run({ outcome: 'failed' }), true)).toBe('needs');
  expect(standOf(task({ status: 'running' }), run({ outcome: 'failed' }), false)).toBe('failed');
  expect(standOf(task({}), run({}), false)).toBe('review');
});

test('a live run counts to what the task took', () => {
  expect(spentOf(task({}), run({ phase: 'working' }), 8000)).toEqual({ tokens: 105, costUsd: 1.5, workedMs: 4000 });
  expect(spentOf(task({}), run({}), 8000)).toEqual(spent);
});
