// Two attempts of a task: which cards belong together, and which of them stands on the board.

import type { beckon } from '../bridge';

/** The columns, the one first in which the card of two attempts stands. */
const columns: Partial<Record<beckon.Status, number>> = {
  running: 0,
  queued: 1,
  backlog: 2,
  review: 3,
};

type Tasks = { get(id: string): beckon.Task | undefined };

/** The two attempts that a task is one of, the first one first; undefined once one was kept. */
export function pairOf(task: beckon.Task, tasks: Tasks): [beckon.Task, beckon.Task] | undefined {
  const other = task.attempt && tasks.get(task.attempt.with);
  if (!task.attempt || other?.attempt?.with !== task.id) return undefined;
  if (columns[task.status] === undefined || columns[other.status] === undefined) return undefined;
  return task.attempt.number === 1 ? [task, other] : [other, task];
}

/** Whether a task is shown on the card of the other attempt, and has none of its own. */
export function follows(task: beckon.Task, tasks: Tasks): boolean {
  const pair = pairOf(task, tasks);
  return pair !== undefined && leads(pair).id !== task.id;
}

/** The attempt on whose card both are: where one works still, that is in its column. */
export function leads([first, second]: [beckon.Task, beckon.Task]): beckon.Task {
  return columns[second.status]! < columns[first.status]! ? second : first;
}
