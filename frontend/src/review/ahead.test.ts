import { afterEach, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';
import { Ahead } from './ahead.svelte';

const long = `@@ -0,0 +1,5000 @@\n${'+a line of code\n'.repeat(5000)}`;
const files = (n: number): beckon.FileDiff[] =>
  Array.from({ length: n }, (_, i) => ({
    path: `f${i}`,
    oldPath: '',
    change: 'A',
    kind: 'file',
    similar: 0,
    oldSize: 0,
    size: 0,
    added: 5000,
    removed: 0,
    mode: '',
    content: '0-1',
    binary: false,
    cut: false,
    past: false,
    pending: false,
    patch: long,
  }));

afterEach(() => vi.useRealTimers());

test('of a long review the first screens come at once, and the rest by itself', async () => {
  vi.useFakeTimers();
  const ahead = new Ahead(() => false);
  const begun = ahead.begin(files(20), 0, () => {});
  await vi.advanceTimersByTimeAsync(1000);
  await begun;
  await vi.advanceTimersByTimeAsync(5000);
  expect(ahead.listed).toBe(20);
  expect(ahead.done).toBe(true);
});

test('what is not read yet is read at once for who goes there, and nothing twice', async () => {
  const ahead = new Ahead(() => false);
  await ahead.begin(files(40), 0, () => {});
  expect(ahead.listed).toBeGreaterThan(0);
  expect(ahead.done).toBe(false);
  ahead.finish();
  expect(ahead.listed).toBe(40);
});

test('a review that takes the place of another is there as a whole', async () => {
  const ahead = new Ahead(() => false);
  await ahead.begin(files(2), 0, () => {});
  await ahead.begin(files(12), Infinity, () => {});
  expect(ahead.listed).toBe(12);
  ahead.stop();
});

test('of two that begin, the last is shown', async () => {
  const ahead = new Ahead(() => false);
  const first = ahead.begin(files(30), Infinity, () => {});
  await ahead.begin(files(1), 0, () => {});
  await first;
  expect(ahead.listed).toBe(1);
});

test('what is shown is finished although something else takes its place', async () => {
  const ahead = new Ahead(() => false);
  await ahead.begin(files(40), 0, () => {});
  let swapped = false;
  const other = ahead.begin(files(12), Infinity, () => (swapped = true));
  ahead.finish();
  expect([ahead.listed, swapped]).toEqual([40, false]);
  await other;
  expect([ahead.listed, swapped]).toEqual([12, true]);
});
