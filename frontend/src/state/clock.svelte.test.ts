// @vitest-environment jsdom
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';
import { clock } from './clock.svelte';
import { store } from './store.svelte';

// The page has one tick, which its first test begins.
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

test('time stands still while Beckon is away, and is right again when it is back', () => {
  const began = clock.now;
  const after = (seconds: number) => {
    vi.advanceTimersByTime(seconds * 1000);
    return Math.round((clock.now - began) / 1000);
  };
  store.connection = 'open';
  expect(after(2)).toBe(2);
  for (const away of ['lost', 'refused'] as const) {
    store.connection = away;
    const stood = clock.now;
    after(30);
    expect(clock.now).toBe(stood);
  }
  store.connection = 'open';
  expect(after(1)).toBe(63);
});

test('where nobody is, time steps by half a minute, and less while something runs or runs out', () => {
  store.connection = 'open';
  const seen = new Set<number>();
  const watch = (seconds: number) => {
    seen.clear();
    for (let i = 0; i < seconds; i++) {
      vi.advanceTimersByTime(1000);
      seen.add(clock.now);
    }
    return seen.size;
  };
  const alone = () => void vi.advanceTimersByTime(60_000);
  window.dispatchEvent(new Event('pointermove'));
  expect(watch(29)).toBe(29);
  alone();
  const steps = watch(300);
  expect(steps).toBeGreaterThanOrEqual(10);
  expect(steps).toBeLessThanOrEqual(11);

  vi.advanceTimersByTime(3000);
  window.dispatchEvent(new Event('keydown'));
  expect(clock.now).toBe(Date.now()); // at once
  expect(watch(29)).toBe(29);
  alone();

  const works = {
    id: 'r1',
    taskId: 't1',
    kind: 'task',
    phase: 'working',
    started: Date.now(),
    executor: '',
  } as beckon.Run;
  store.runs.set(works.id, works);
  const atWork = watch(100);
  expect(atWork).toBeGreaterThanOrEqual(10);
  expect(atWork).toBeLessThanOrEqual(11);
  store.runs.delete(works.id);
  alone();

  while (clock.now === Date.now()) vi.advanceTimersByTime(1000);
  const ask = {
    id: 'q1',
    taskId: 't1',
    settlement: 'open',
    waitMs: 600_000,
    heldMs: 0,
    asked: Date.now(),
    deadline: Date.now() + 600_000,
  } as beckon.Question;
  store.questions.set(ask.id, ask);
  expect(watch(1)).toBe(1);
  expect(clock.now).toBe(Date.now()); // at once
  expect(watch(270)).toBeLessThanOrEqual(10);
  watch(40);
  expect(watch(100)).toBeGreaterThanOrEqual(10);
  store.questions.set(ask.id, { ...ask, deadline: Date.now() + 60_000 });
  expect(watch(30)).toBe(30);
  store.questions.set(ask.id, { ...ask, heldMs: 30_000 });
  expect(watch(60)).toBeLessThanOrEqual(3);
  store.questions.delete(ask.id);
});
