// What a task's page says of it, computed from what the page knows.

import type { beckon } from '../bridge';

/** tookOf is how long a run was, or is already. */
export function tookOf(run: beckon.Run, now: number): number {
  return Math.max(0, (run.ended || now) - run.started);
}
