import { expect, test, vi } from 'vitest';
import { oneAtATime, readEvery, readOn } from './reading';

test('work is done once at a time, and once more for all who asked meanwhile', async () => {
  let began = 0;
  let end = () => {};
  const read = oneAtATime(() => {
    began++;
    return new Promise<void>((resolve) => (end = resolve));
  });
  const all = read();
  void read();
  void read();
  expect(began).toBe(1);
  end();
  await vi.waitFor(() => expect(began).toBe(2));
  end();
  await all;
  expect(began).toBe(2);
});

test('what works is read again every few seconds until it is left', () => {
  vi.useFakeTimers();
  const read = vi.fn(() => Promise.resolve());
  const leave = readOn(read);
  vi.advanceTimersByTime(2 * readEvery);
  expect(read).toHaveBeenCalledTimes(3);
  leave();
  vi.advanceTimersByTime(2 * readEvery);
  expect(read).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});
