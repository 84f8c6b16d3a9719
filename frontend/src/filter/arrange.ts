// Puts a board's cards into their order and groups.
import type { beckon } from '../bridge';
import { laneNames, type Lanes } from '../state/views';
import type { Display } from './display';
import type { Facts } from './find';
import { valueLabel, type Names } from './words';

/** A heading inside a column. */
export interface Group {
  key: string;
  label: string;
  /** The number of a project's colour; 0 is none. */
  color: number;
}

/** The lanes as the display wants them. Who needs the person comes first in each group of Running. */
export function arrange(
  lanes: Lanes,
  { group, sort }: Display,
  { waiting }: Facts,
  projects: beckon.Project[],
): Lanes {
  const place = new Map(projects.map((project, i) => [project.id, i]));
  const before = sort === 'manual' ? () => 0 : orders[sort];
  const heading = group === 'none' ? () => '' : (task: beckon.Task) => sortKey(task, group, place);
  const result = { ...lanes };
  for (const name of laneNames) {
    const needs = (task: beckon.Task) => (name === 'running' && waiting.has(task.id) ? 0 : 1);
    const keys = new Map(lanes[name].map((task) => [task, heading(task)]));
    result[name] = lanes[name].toSorted(
      (a, b) => compare(keys.get(a)!, keys.get(b)!) || needs(a) - needs(b) || before(a, b),
    );
  }
  return result;
}

const orders: Record<
  Exclude<Display['sort'], 'manual'>,
  (a: beckon.Task, b: beckon.Task) => number
> = {
  priority: (a, b) => b.priority - a.priority,
  updated: (a, b) => b.updated - a.updated,
  created: (a, b) => b.created - a.created,
};

/** Projects in the order of the rail, the highest priority first, labels by the alphabet; none comes last. */
function sortKey(
  task: beckon.Task,
  group: Exclude<Display['group'], 'none'>,
  projects: ReadonlyMap<string, number>,
): string | number {
  if (group === 'project') return projects.get(task.projectId) ?? projects.size;
  if (group === 'priority') return -task.priority;
  if (group === 'agent') return task.agent; // Claude Code, which has no name, first
  return firstLabel(task) || '\u{10ffff}';
}

/** A card with several labels is in the group of the first by the alphabet: in each it would be counted twice. */
function firstLabel(task: beckon.Task): string {
  return task.labels.toSorted()[0] ?? '';
}

function compare<T extends string | number>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The group of a card. */
export function groupOf(
  task: beckon.Task,
  group: Exclude<Display['group'], 'none'>,
  names: Names,
  color: (projectId: string) => number,
): Group {
  const value = {
    project: task.projectId,
    priority: String(task.priority),
    agent: task.agent,
    label: firstLabel(task),
  }[group];
  return {
    key: `${group} ${value}`,
    label: valueLabel(group, value, names),
    color: group === 'project' ? color(value) : 0,
  };
}
