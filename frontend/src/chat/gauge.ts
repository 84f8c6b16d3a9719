// How full a context is.

import type { beckon } from '../bridge';

/** percentOf is the part of the context that is used, from 0 to 100; undefined while the limit is not known. */
export function percentOf({ tokens, limit }: beckon.Gauge): number | undefined {
  if (limit <= 0) return undefined;
  return Math.min(100, Math.max(0, Math.round((tokens / limit) * 100)));
}

/** From here on the context is nearly full, and the gauge says so. */
export const nearlyFull = 80;
