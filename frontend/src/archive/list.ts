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
  return task.resolution === 'closed' || task.resolution === 'discarded'
    ? task.resolution
    : 'archived';
}

/** The tasks whose key, title or project have every word of a text. */
export function matching(
  tasks: beckon.Task[],
  text: string,
  projectOf: (task: beckon.Task) => string,
): beckon.Task[] {
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
  word:
    'keptGood' | 'keptBranch' | 'keptNoBranch' | 'keptDays' | 'daysLeft' | 'keptPast' | 'keptGone';
  days: number;
}

/** `lost` are the ids of discarded tasks whose work is not kept any more. */
export function retentionOf(task: beckon.Task, now: number, lost: ReadonlySet<string>): Retention {
  switch (kindOf(task)) {
    case 'archived':
      return { word: 'keptGood', days: 0 };
    case 'closed':
      return { word: task.branch === '' ? 'keptNoBranch' : 'keptBranch', days: 0 };
    case 'discarded': {
      if (task.keptRef === '' || lost.has(task.id)) return { word: 'keptGone', days: 0 };
      // Beckon counts the days on which it ran, so a clock that jumps ends nothing.
      const days = Math.ceil((task.keptUntil - now) / dayMs);
      if (days <= 0) return { word: 'keptPast', days: 0 };
      return { word: days <= lastDays ? 'daysLeft' : 'keptDays', days };
    }
  }
}

/** How much of a task's past the panel tells. */
const mostRuns = 6;

/** One thing of a task's past: that it went, that Beckon merged it, one of its runs, or that it was made. */
export interface Past {
  what: 'went' | 'merged' | 'run' | 'made';
  at: number;
  run?: beckon.Run;
}

/** Whether Beckon took its branch into the base, and it is there. */
export function merged(task: beckon.Task): boolean {
  return task.resolution === 'merged' && task.landed.commit !== '';
}

/** The past of a task, the newest first, with its last runs; `more` counts those left out. */
export function pastOf(task: beckon.Task, runs: beckon.Run[]): { list: Past[]; more: number } {
  const newest = runs.toSorted((a, b) => b.number - a.number);
  return {
    list: [
      { what: 'went', at: task.updated },
      ...(merged(task) ? [{ what: 'merged' as const, at: task.landed.at }] : []),
      ...newest
        .slice(0, mostRuns)
        .map((run) => ({ what: 'run' as const, at: run.ended || run.started, run })),
      { what: 'made', at: task.created },
    ],
    more: Math.max(0, newest.length - mostRuns),
  };
}

/** How many of Claude's conversations the runs were. */
export function sessionsOf(runs: beckon.Run[]): number {
  return new Set(runs.map((run) => run.session).filter((session) => session !== '')).size;
}

/** The column that a card will go back to. Beckon decides; this says it before. */
export function homeOf(
  task: beckon.Task,
  now: number,
  lost: ReadonlySet<string>,
): Exclude<beckon.Status, 'archived'> {
  if (
    retentionOf(task, now, lost).word === 'keptGone' ||
    task.restoresTo === '' ||
    task.restoresTo === 'archived'
  )
    return 'backlog';
  return task.restoresTo;
}
