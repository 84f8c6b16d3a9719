import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pacer, Turns } from './pacer';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('who reads sees each thing at once', () => {
  const shown: number[][] = [];
  const pacer = new Pacer<number>((list) => shown.push(list));
  pacer.take([1]);
  pacer.take([2, 3]);
  expect(shown).toEqual([[1], [2, 3]]);
});

test('who glances sees what came meanwhile together, in order, and nothing twice', () => {
  const shown: number[][] = [];
  const pacer = new Pacer<number>((list) => shown.push(list));
  pacer.ms = 150;
  pacer.take([1]);
  vi.advanceTimersByTime(100);
  pacer.take([2]);
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(60);
  expect(shown).toEqual([[1, 2]]);
  vi.advanceTimersByTime(1000);
  expect(shown).toHaveLength(1);
});

test('who begins to read sees at once what was held', () => {
  const shown: number[][] = [];
  const pacer = new Pacer<number>((list) => shown.push(list));
  pacer.ms = 150;
  pacer.take([1]);
  pacer.ms = 0;
  pacer.take([2]);
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual([[1], [2]]);
});

test('what comes without a rest is not put off', () => {
  const shown: number[] = [];
  const pacer = new Pacer<number>((list) => shown.push(list.length));
  pacer.ms = 300;
  for (let ms = 0; ms < 3000; ms += 50) {
    pacer.take([ms]);
    vi.advanceTimersByTime(50);
  }
  expect(shown).toHaveLength(10);
});

test('the more comes, the less often it is shown, up to a third as often', () => {
  const shown: number[] = [];
  const pacer = new Pacer<number>((list) => shown.push(list.length));
  pacer.ms = 160;
  const pass = (ms: number, perMs: number) => {
    shown.length = 0;
    for (let at = 0; at < ms; at += 10) {
      pacer.take(Array.from({ length: 10 * perMs }, () => at));
      vi.advanceTimersByTime(10);
    }
    return shown.length;
  };
  expect(pass(4800, 0)).toBe(0);
  expect(pass(4800, 0.1)).toBeLessThanOrEqual(24); // 16 at a time
  expect(pass(4800, 1)).toBeLessThanOrEqual(11);
  expect(pass(4800, 1)).toBeGreaterThanOrEqual(9);
  pass(4800, 0.1);
  expect(pass(4800, 0.1)).toBeGreaterThan(20); // the flood is over
});

test('of pacers that are due at once each has a frame of its own', () => {
  const at: number[] = [];
  const turns = new Turns();
  const pacers = Array.from({ length: 9 }, () => new Pacer<number>(() => at.push(performance.now()), turns));
  for (const pacer of pacers) pacer.ms = 160;
  for (const pacer of pacers) pacer.take([1]);
  vi.advanceTimersByTime(1000);
  expect(at).toHaveLength(9);
  for (const [i, one] of at.entries()) expect(one - (at[i - 1] ?? -Infinity)).toBeGreaterThanOrEqual(20);
});
