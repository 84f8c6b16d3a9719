import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pacer } from './pacer';

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
