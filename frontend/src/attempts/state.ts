// How far an attempt is, in one word.

import type { beckon } from '../bridge';
import { alive, stopped } from '../state';

/** AttemptState: the name of a message of `attempts`. */
export type AttemptState = 'works' | 'asks' | 'ready' | 'waits' | 'rests' | 'failed';

export function stateOf(
  task: beckon.Task,
  run: beckon.Run | undefined,
  asks: boolean,
): AttemptState {
  if (asks) return 'asks';
  if (task.status === 'running' && alive(run)) return 'works';
  if (task.status === 'queued') return 'waits';
  if (stopped(task, run) || (task.status === 'backlog' && task.why)) return 'failed';
  return task.status === 'review' ? 'ready' : 'rests';
}
