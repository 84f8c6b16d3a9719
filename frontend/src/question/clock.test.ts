import { expect, test } from 'vitest';
import { leftMs, share } from './clock';
import { Debounce, enterDebounceMs, debounceMs } from './debounce';

test('the clock counts down to its deadline, stands while held, and may be absent', () => {
  expect(leftMs({ deadline: 5000, waitMs: 9000, heldMs: 0 }, 2000)).toBe(3000);
  expect(leftMs({ deadline: 5000, waitMs: 9000, heldMs: 0 }, 9000)).toBe(0);
  expect(leftMs({ deadline: 5000, waitMs: 3000, heldMs: 0 }, 1400)).toBe(3000);
  expect(leftMs({ deadline: 0, waitMs: 9000, heldMs: 1234 }, 9000)).toBe(1234);
  expect(leftMs({ deadline: 0, waitMs: 0, heldMs: 0 }, 9000)).toBeNull();
});

test('the ring is as full as the clock', () => {
  expect(share({ deadline: 5000, waitMs: 10_000, heldMs: 0 }, 2500)).toBe(0.25);
  expect(share({ deadline: 0, waitMs: 0, heldMs: 0 }, 0)).toBe(1);
});

test('a card that has just appeared ignores digits, and Enter longer still', () => {
  let now = 1000;
  const debounce = new Debounce(() => now);
  expect(debounce.allows('1')).toBe(true);
  debounce.arm();
  now += debounceMs - 1;
  expect(debounce.allows('1')).toBe(false);
  now += 1;
  expect([debounce.allows('1'), debounce.allows('Enter')]).toEqual([true, false]);
  now += enterDebounceMs - debounceMs;
  expect(debounce.allows('Enter')).toBe(true);
});
