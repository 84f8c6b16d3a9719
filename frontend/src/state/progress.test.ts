import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';
import { Store } from './store.svelte';

const run = (verb: string, more: Partial<beckon.Run> = {}) =>
  ({
    id: 'r',
    taskId: 'a',
    number: 1,
    phase: 'working',
    turns: 0,
    linkLost: 0,
    ended: 0,
    activity: { verb, target: '', since: 0 },
    ...more,
  }) as beckon.Run;
const frame = (seq: number, ...runs: beckon.Run[]) =>
  ({
    seq,
    whole: false,
    lost: false,
    events: runs.map((one) => ({ run: one })),
  }) as unknown as beckon.Frame;

let store: Store;
beforeEach(() => {
  vi.useFakeTimers();
  store = new Store();
  store.apply(frame(1, run('thinking')));
});
afterEach(() => vi.useRealTimers());

const verb = () => store.runs.get('r')?.activity.verb;

test('a run that is new is there at once', () => {
  expect(verb()).toBe('thinking');
});

test('of a run that gets on the last row of a while is taken', () => {
  const took = vi.spyOn(store.runs, 'set');
  store.apply(frame(2, run('reading')));
  vi.advanceTimersByTime(60);
  store.apply(frame(3, run('writing')));
  expect(verb()).toBe('thinking');
  vi.advanceTimersByTime(40);
  expect(verb()).toBe('writing');
  expect(took).toHaveBeenCalledTimes(1);
});

test('what else a row says is there at once, and nothing older comes after it', () => {
  store.apply(frame(2, run('reading')));
  store.apply(frame(3, run('waiting', { phase: 'ended', ended: 5 })));
  expect(store.runs.get('r')?.phase).toBe('ended');
  vi.advanceTimersByTime(1000);
  expect(verb()).toBe('waiting');
});

test('what is held is not brought back by a state that has it no more', () => {
  store.apply(frame(2, run('reading')));
  store.apply({ ...frame(3), whole: true });
  expect(store.runs.get('r')).toBeUndefined();
  vi.advanceTimersByTime(1000);
  expect(store.runs.get('r')).toBeUndefined();
});

test('what is held is not lost to a state that is older', () => {
  store.apply(frame(5, run('reading')));
  store.apply({ ...frame(3, run('thinking')), whole: true });
  expect(verb()).toBe('reading');
});

test('of a Beckon that is no more nothing is held', () => {
  store.apply(frame(900, run('reading')));
  store.forgetNumbers();
  vi.advanceTimersByTime(1000);
  store.apply({ ...frame(1, run('writing')), whole: true });
  expect(verb()).toBe('writing');
});
