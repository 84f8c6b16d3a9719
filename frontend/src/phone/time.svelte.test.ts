import { expect, test } from 'vitest';
import { leftMs } from '../question/clock';
import { Time } from './time.svelte';

const minute = 60_000;
const q = { deadline: 1_000_000 + 5 * minute, waitMs: 5 * minute, heldMs: 0 };

test('a phone whose clock is wrong shows what is left by the computer’s', () => {
  const time = new Time();
  time.set(1_000_000, 9_000_000); // two hours and more ahead
  expect(leftMs(q, time.now)).toBe(5 * minute);
  time.tick(9_000_000 + minute);
  expect(leftMs(q, time.now)).toBe(4 * minute);
  time.set(1_000_000 + 2 * minute, 9_000_000 + minute); // it slept meanwhile
  expect(leftMs(q, time.now)).toBe(3 * minute);
});
