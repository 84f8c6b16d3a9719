import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clock } from './clock.svelte';
import { store } from './store.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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
