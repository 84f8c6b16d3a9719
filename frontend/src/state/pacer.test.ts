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

/** Nine pacers that share turns, and when each shows how much. */
function nine() {
  const shown: { at: number; n: number }[] = [];
  const turns = new Turns();
  const pacers = Array.from(
    { length: 9 },
    () => new Pacer<number>((list) => shown.push({ at: performance.now(), n: list.length }), turns),
  );
  for (const pacer of pacers) pacer.ms = 160;
  return { shown, pacers };
}

test('of pacers that hold much, and are due at once, each has a frame of its own', () => {
  const { shown, pacers } = nine();
  for (const pacer of pacers) pacer.take(Array.from({ length: 12 }, () => 1));
  vi.advanceTimersByTime(1000);
  expect(shown).toHaveLength(9);
  for (const [i, { at }] of shown.entries())
    expect(at - (shown[i - 1]?.at ?? -Infinity)).toBeGreaterThanOrEqual(20);
});

test('pacers that hold little share a frame, and none is seen less often for it', () => {
  const { shown, pacers } = nine();
  const began = performance.now();
  for (let ms = 0; ms < 3200; ms += 10) {
    for (const [i, pacer] of pacers.entries()) if ((ms / 10) % 9 === i) pacer.take([ms]); // 11 a second each
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(200);
  expect(
    shown.reduce((sum, { n }) => sum + n, 0),
    'nothing is lost',
  ).toBe(320);
  const frames = new Map<number, number>();
  for (const { at, n } of shown) frames.set(at, (frames.get(at) ?? 0) + n);
  expect(Math.max(...frames.values())).toBeLessThanOrEqual(12);
  expect(frames.size, 'frames in 3.4 s').toBeLessThanOrEqual(34);
  expect(shown.length, 'each is shown as often as if it were alone').toBeGreaterThanOrEqual(9 * 17);
  expect(shown[0]!.at - began).toBeLessThanOrEqual(160);
});
