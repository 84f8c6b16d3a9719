import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { longMs, worksLong } from './longRun';

const run = { phase: 'working', kind: 'task', executor: '', started: 0 } as beckon.Run;
const box = { executor: { id: 'box', kind: 'container' } } as beckon.ExecutorStatus;
const farm = { executor: { id: 'farm', kind: 'ssh' } } as beckon.ExecutorStatus;
const long = (part: Partial<beckon.Run>, now = longMs) =>
  worksLong([{ ...run, ...part }], [box, farm], now);

test('whether to stay awake is asked once an agent has worked here for long', () => {
  expect(long({})).toBe(true);
  expect(long({}, longMs - 1)).toBe(false);
  expect(long({ executor: 'box' }), 'a container is of this computer').toBe(true);
});

test('what waits, or works elsewhere, is no reason to ask', () => {
  expect(long({ phase: 'asking' })).toBe(false);
  expect(long({ phase: 'idle' })).toBe(false);
  expect(long({ executor: 'farm' })).toBe(false);
  expect(long({ kind: 'external' })).toBe(false);
});
