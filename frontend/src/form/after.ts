// What a task may wait for.

import type { beckon } from '../bridge';
import { isOver } from '../state';

/** As many tasks are offered at most. */
const most = 8;

/** Tasks by their ids. */
interface Tasks {
  get(id: string): beckon.Task | undefined;
  values(): Iterable<beckon.Task>;
}

/** The task that is being written, as far as it is there. */
export interface Writing {
  id: string;
  projectId: string;
}

/** What is typed finds tasks by key and title that the written one may wait for; those of its project come first. */
export function offersFor(typed: string, written: Writing, tasks: Tasks): beckon.Task[] {
  const wish = typed.trim().toLowerCase();
  const own: beckon.Task[] = [];
  const others: beckon.Task[] = [];
  for (const task of tasks.values()) {
    if (
      isOver(task) ||
      task.status === 'archived' ||
      !`${task.key} ${task.title}`.toLowerCase().includes(wish) ||
      waitsFor(task, written.id, tasks)
    )
      continue;
    (task.projectId === written.projectId ? own : others).push(task);
  }
  const newest = (a: beckon.Task, b: beckon.Task) => b.number - a.number;
  return [...own.sort(newest), ...others.sort(newest)].slice(0, most);
}

/** Whether a task is another one, or waits for it by however many between. */
function waitsFor(task: beckon.Task, id: string, tasks: Tasks): boolean {
  for (let at: beckon.Task | undefined = task; at; at = tasks.get(at.after))
    if (at.id === id) return true;
  return false;
}
