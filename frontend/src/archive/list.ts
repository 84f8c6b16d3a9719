// What the archive shows of its tasks. Pure, so that it is tested without a page.

import type { beckon } from '../bridge';

const dayMs = 86_400_000;
/** From how many days on a discarded branch presses. */
const lastDays = 3;

/** The kinds of the archive, in the order in which they are offered. */
export const kinds = ['archived', 'closed', 'discarded'] as const;
export type Kind = (typeof kinds)[number];

/** What became of an archived task: merged ones are simply archived. */
export function kindOf(task: beckon.Task): Kind {
  return task.resolution === 'closed' || task.resolution === 'discarded' ? task.resolution : 'archived';
}

/** The tasks whose key, title or project have every word of a text. */
export function matching(tasks: beckon.Task[], text: string, projectOf: (task: beckon.Task) => string): beckon.Task[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tasks;
  return tasks.filter((task) => {
    const all = `${task.key} ${task.title} ${projectOf(task)}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** How many there are of each kind. */
export function countKinds(tasks: beckon.Task[]): Record<Kind, number> {
  const counts = { archived: 0, closed: 0, discarded: 0 };
  for (const task of tasks) counts[kindOf(task)]++;
  return counts;
}

export type When = 'today' | 'week' | 'earlier';

/** Tasks that went at about the same time; `count` counts those beyond the limit too. */
export interface Group {
  when: When;
  count: number;
  tasks: beckon.Task[];
}

/** Groups tasks, the last ones first, and keeps as many as the limit allows. */
export function groupsOf(tasks: beckon.Task[], now: number, limit: number): Group[] {
  const groups: Group[] = [];
  for (const [i, task] of tasks.entries()) {
    const when = whenOf(task.updated, now);
    let group = groups.at(-1);
    if (group?.when !== when) groups.push((group = { when, count: 0, tasks: [] }));
    group.count++;
    if (i < limit) group.tasks.push(task);
  }
  return groups.filter((group) => group.tasks.length > 0);
}

function whenOf(at: number, now: number): When {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (at >= midnight) return 'today';
  return at >= midnight - 6 * dayMs ? 'week' : 'earlier';
}

/** What is kept of a task's work, and for how many days where they are counted. */
export interface Retention {
  word: 'keptGood' | 'keptBranch' | 'keptNoBranch' | 'keptDays' | 'daysLeft' | 'keptGone';
  days: number;
}

export function retentionOf(task: beckon.Task, now: number): Retention {
  switch (kindOf(task)) {
    case 'archived':
      return { word: 'keptGood', days: 0 };
    case 'closed':
      return { word: task.branch === '' ? 'keptNoBranch' : 'keptBranch', days: 0 };
    case 'discarded': {
      const days = Math.ceil((task.keptUntil - now) / dayMs);
      if (days <= 0) return { word: 'keptGone', days: 0 };
      return { word: days <= lastDays ? 'daysLeft' : 'keptDays', days };
    }
  }
}

/** The column that a card will go back to. Beckon decides; this says it before. */
export function homeOf(task: beckon.Task, now: number): Exclude<beckon.Status, 'archived'> {
  if (retentionOf(task, now).word === 'keptGone' || task.restoresTo === '' || task.restoresTo === 'archived') return 'backlog';
  return task.restoresTo;
}
