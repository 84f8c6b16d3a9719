import { expect, test, vi } from 'vitest';
import { Again, waitOf } from './again';

test('a computer that sleeps is asked ever less, and at once when there is a reason', () => {
  vi.useFakeTimers();
  const asked: number[] = [];
  const again = new Again(() => {
    asked.push(Date.now());
    again.later();
  });
  const began = Date.now();
  again.later();
  vi.advanceTimersByTime(60_000);
  expect(asked.map((at) => (at - began) / 1000)).toEqual([1, 3, 7, 15, 30, 60]);
  again.soon();
  expect(asked.at(-1)).toBe(Date.now());
  again.well();
  vi.advanceTimersByTime(120_000);
  expect(asked.length).toBe(7);
  again.later(); // it was well for long: soon again
  vi.advanceTimersByTime(1000);
  expect(asked.length).toBe(8);
  again.well(); // and for no time: not sooner than before
  again.later();
  vi.advanceTimersByTime(2000);
  expect(asked.length).toBe(8);
  expect(waitOf(99)).toBe(30_000);
  vi.useRealTimers();
});
