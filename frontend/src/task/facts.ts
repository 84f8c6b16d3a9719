// What a task's page says of it, computed from what the page knows.

import type { beckon } from '../bridge';
import { stopped } from '../state';
import type { GlyphKind } from '../ui/Glyph.svelte';

/** standOf is the status that is shown: the column, unless something presses more. */
export function standOf(task: beckon.Task, run: beckon.Run | undefined, asks: boolean): GlyphKind | 'archived' {
  if (asks) return 'needs';
  if (stopped(task, run)) return 'failed';
  return task.status;
}

/** spentOf is what all runs took, the one that lives included. */
export function spentOf(task: beckon.Task, run: beckon.Run | undefined, now: number): beckon.Spent {
  if (run === undefined || run.phase === 'ended') return task.spent;
  return {
    tokens: task.spent.tokens + run.spent.tokens,
    costUsd: task.spent.costUsd + run.spent.costUsd,
    workedMs: task.spent.workedMs + Math.max(0, now - run.started),
  };
}

/** tookOf is how long a run was, or is already. */
export function tookOf(run: beckon.Run, now: number): number {
  return Math.max(0, (run.ended || now) - run.started);
}
