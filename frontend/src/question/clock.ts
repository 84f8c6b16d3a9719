// What a question's clock shows.

/** Clocked is what the clock needs to know of a question. */
export interface Clocked {
  deadline: number;
  waitMs: number;
  heldMs: number;
}

/**
 * leftMs is what is left on the clock; null where there is none. It is never
 * more than the whole: the page's time may be of the second before.
 */
export function leftMs(q: Clocked, now: number): number | null {
  if (q.heldMs > 0) return q.heldMs;
  if (q.deadline === 0) return null;
  return Math.max(0, Math.min(q.deadline - now, q.waitMs || Infinity));
}

/** share is how much of the clock is left, from 1 to 0. */
export function share(q: Clocked, now: number): number {
  const left = leftMs(q, now);
  return left === null || q.waitMs <= 0 ? 1 : Math.min(1, left / q.waitMs);
}
