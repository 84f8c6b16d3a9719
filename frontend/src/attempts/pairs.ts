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

/** Tasks with those that follow replaced by the ones on whose cards they are, each once: a card is shown where either of its two is. */
export function folded(list: Iterable<beckon.Task>, tasks: Tasks): beckon.Task[] {
  const shown = new Map<string, beckon.Task>();
  for (const task of list) {
    const pair = pairOf(task, tasks);
    const card = pair ? leads(pair) : task;
    shown.set(card.id, card);
  }
  return [...shown.values()];
}

/** The attempt on whose card both are: where one works still, that is in its column. */
export function leads([first, second]: [beckon.Task, beckon.Task]): beckon.Task {
  return columns[second.status]! < columns[first.status]! ? second : first;
}
