// What the page computes of the tables. Pure, so that it is tested without one.
import type { beckon } from '../bridge';
import type { GlyphKind } from '../ui/Glyph.svelte';

/** The columns, in the board's order; archived tasks stand in none. */
export const laneNames = ['backlog', 'queued', 'running', 'review', 'done'] as const;
export type Lane = (typeof laneNames)[number];
export type Lanes = Record<Lane, beckon.Task[]>;

/** Whether a person's answer is still wanted. */
export function waits(question: beckon.Question): boolean {
  return question.settlement === 'open' || question.settlement === 'orphaned';
}

/** The questions that wait, the longest waiting first. */
export function waiting(questions: beckon.Question[]): beckon.Question[] {
  return questions.filter(waits).sort((a, b) => a.asked - b.asked || (a.id < b.id ? -1 : 1));
}

/** What ssh asks before an executor can be reached. */
export interface SshAsk {
  id: string;
  ask: beckon.ExecutorAsk;
  executor: beckon.Executor;
}

/** All that ssh asks, the longest waiting first. */
export function asksOf(executors: beckon.ExecutorStatus[]): SshAsk[] {
  return executors
    .flatMap(({ executor, health: { ask } }) => (ask ? [{ id: ask.id, ask, executor }] : []))
    .sort((a, b) => a.ask.since - b.ask.since);
}

/** What waits in the order in which to answer it: what ssh asks comes before the questions that have no clock either, since no agent begins there meanwhile. */
export function inTurn(urgent: beckon.Question[], asks: SshAsk[]): (beckon.Question | SshAsk)[] {
  const clocked = urgent.filter((question) => runsOut(question) < Infinity).length;
  return [...urgent.slice(0, clocked), ...asks, ...urgent.slice(clocked)];
}

function runsOut(q: beckon.Question): number {
  return q.settlement === 'open' && q.heldMs === 0 && q.deadline > 0 ? q.deadline : Infinity;
}

/**
 * The same in the order in which an answer presses: those whose clock runs out
 * first, then those that keep others waiting, then those without a clock.
 */
export function byUrgency(
  list: beckon.Question[],
  blocks: (question: beckon.Question) => boolean,
): beckon.Question[] {
  const held = (q: beckon.Question) => (blocks(q) ? 0 : 1);
  return list.toSorted(
    (a, b) =>
      compare(runsOut(a), runsOut(b)) ||
      held(a) - held(b) ||
      a.asked - b.asked ||
      compare(a.id, b.id),
  );
}

/** Before when a queued task does not start; 0 where any time will do. */
export function startOf(task: beckon.Task): number {
  return Math.max(task.resume.at, task.startsAt);
}

/** Groups by task, keeping the order. */
export function byTask<T extends { taskId: string }>(list: T[]): Map<string, T[]> {
  return grouped(list, (one) => one.taskId);
}

/** Groups by a key, keeping the order. */
export function grouped<T>(list: T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

/** The newest run of each task. */
export function latestRuns(runs: beckon.Run[]): Map<string, beckon.Run> {
  const latest = new Map<string, beckon.Run>();
  for (const run of runs) {
    const other = latest.get(run.taskId);
    if (other === undefined || other.number < run.number) latest.set(run.taskId, run);
  }
  return latest;
}

/** The tasks whose work waits to be looked at, in the order of their column: those on which no agent lives. */
export function toReview(
  tasks: beckon.Task[],
  latest: ReadonlyMap<string, beckon.Run>,
): beckon.Task[] {
  return tasks
    .filter(({ id, status }) => status === 'review' && !alive(latest.get(id)))
    .sort((a, b) => a.rank - b.rank);
}

/**
 * The board's columns. In Running those that need the person come first, in
 * the order of `needs`; Done shows the latest first.
 */
export function lanes(
  tasks: beckon.Task[],
  needs: Map<string, beckon.Question[]>,
  projectId = '',
): Lanes {
  const result: Lanes = { backlog: [], queued: [], running: [], review: [], done: [] };
  for (const task of tasks) {
    if (task.status === 'archived' || (projectId !== '' && task.projectId !== projectId)) continue;
    result[task.status].push(task);
  }
  const turns = new Map([...needs.keys()].map((id, turn) => [id, turn]));
  const turn = (task: beckon.Task) => turns.get(task.id) ?? Infinity;
  const ranked = (a: beckon.Task, b: beckon.Task) => a.rank - b.rank || a.created - b.created;
  result.backlog.sort(ranked);
  result.queued.sort(ranked);
  result.review.sort(ranked);
  result.running.sort((a, b) => compare(turn(a), turn(b)) || ranked(a, b));
  result.done.sort((a, b) => b.updated - a.updated);
  return result;
}

/** How many cards each column has. */
export function countLanes(tasks: beckon.Task[]): Record<Lane, number> {
  const counts = { backlog: 0, queued: 0, running: 0, review: 0, done: 0 };
  for (const task of tasks) if (task.status !== 'archived') counts[task.status]++;
  return counts;
}

/** The tasks that were put away, those that went last first; of one project, or of all. */
export function archivedOf(tasks: beckon.Task[], projectId = ''): beckon.Task[] {
  return tasks
    .filter(
      (task) => task.status === 'archived' && (projectId === '' || task.projectId === projectId),
    )
    .sort((a, b) => b.updated - a.updated || compare(a.id, b.id));
}

function compare<T extends number | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** How many agents of a project wait for the person, and how many work. */
export interface Counts {
  needs: number;
  working: number;
}

/** Counts by project id. */
export function countsByProject(
  tasks: beckon.Task[],
  needs: Map<string, beckon.Question[]>,
  runs: Map<string, beckon.Run>,
): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const task of tasks) {
    const one = counts.get(task.projectId) ?? { needs: 0, working: 0 };
    if (needs.has(task.id)) one.needs++;
    else if (alive(runs.get(task.id))) one.working++;
    counts.set(task.projectId, one);
  }
  return counts;
}

/** Whether the run's process lives. */
export function alive(run: beckon.Run | undefined): boolean {
  return run !== undefined && run.phase !== 'ended';
}

export type Slot = 'ask' | 'on' | 'free';

/** Where a task's next run executes: the id of an executor, or empty for this computer. */
export function placeOf(
  task: Pick<beckon.Task, 'executor'>,
  project: beckon.Project | undefined,
): string {
  if (task.executor === here) return '';
  return task.executor || project?.executor || '';
}

/** What a task chooses that executes on this computer although its project has an executor. */
export const here = 'here';

/**
 * Where tasks wait for a slot, since all are taken. `limits` is how many there
 * are and `queued` which tasks wait, by executor; "" is this computer.
 */
export function fullPlaces(
  limits: Map<string, number>,
  queued: Map<string, unknown>,
  runs: beckon.Run[],
): Set<string> {
  const taken = new Map<string, number>();
  for (const run of runs)
    if (holdsSlot(run)) taken.set(run.executor, (taken.get(run.executor) ?? 0) + 1);
  return new Set(
    [...queued.keys()].filter((place) => (taken.get(place) ?? 0) >= (limits.get(place) ?? 0)),
  );
}

/** Whether the run takes a slot where it executes. */
export function holdsSlot(run: beckon.Run | undefined): boolean {
  return run?.kind === 'task' && alive(run);
}

/** One cell per agent that may run at once, those that wait for the person first. */
export function slots(
  runs: beckon.Run[],
  needs: Map<string, beckon.Question[]>,
  limit: number,
): Slot[] {
  const live = runs.filter(holdsSlot);
  const asking = live.filter((run) => needs.has(run.taskId)).length;
  const cells: Slot[] = live.map((_, i) => (i < asking ? 'ask' : 'on'));
  while (cells.length < limit) cells.push('free');
  return cells;
}

/** The title of the page and window: "(2) Beckon" while two wait. */
export function title(count: number): string {
  return count > 0 ? `(${count}) Beckon` : 'Beckon';
}

/** How a task's last run ended, where that stops the task from going on. */
export function stopped(task: beckon.Task, run: beckon.Run | undefined): boolean {
  // What a queued task waits for did not stop it.
  if (
    task.status === 'backlog' ||
    task.status === 'queued' ||
    task.status === 'done' ||
    task.status === 'archived'
  )
    return false;
  if (task.why) return true;
  return (
    run !== undefined && run.phase === 'ended' && run.outcome !== 'succeeded' && run.outcome !== ''
  );
}

/** What a person can do to set the agent going; "" where there is nothing. */
export type Go = 'start' | 'resume' | '';

/** goOf tells what a task's main button does. */
export function goOf(task: beckon.Task, run: beckon.Run | undefined): Go {
  if (alive(run) || task.status === 'done' || task.status === 'archived') return '';
  return task.session === '' ? 'start' : 'resume';
}

/** isOver tells of a task that what waits for it need not wait any more. */
export function isOver(task: beckon.Task): boolean {
  return task.status === 'done' || (task.status === 'archived' && task.archivedFrom === 'done');
}

/** isHeld tells of a task that it is not to start before a time that is still to come. */
export function isHeld(task: beckon.Task, now: number): boolean {
  return task.startsAt > now && (task.status === 'backlog' || task.status === 'queued');
}

/** mayStartOver tells of a task that it was begun, and could begin again from its start. */
export function mayStartOver(task: beckon.Task, run: beckon.Run | undefined): boolean {
  return (
    goOf(task, run) !== '' &&
    task.status !== 'queued' &&
    (task.branch !== '' || task.session !== '')
  );
}

/** mayHandOver tells of a task at rest that an agent worked on it, so that another can go on. */
export function mayHandOver(task: beckon.Task, run: beckon.Run | undefined): boolean {
  return (
    goOf(task, run) !== '' &&
    task.worktree !== '' &&
    (task.status !== 'queued' || task.resume.at > 0)
  );
}

/** standOf is the status that is shown: the column, unless something presses more. */
export function standOf(
  task: beckon.Task,
  run: beckon.Run | undefined,
  asks: boolean,
): GlyphKind | 'archived' {
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

/** What the runs that worked since a moment took. */
export function spentSince(runs: beckon.Run[], since: number): { tokens: number; costUsd: number } {
  const sum = { tokens: 0, costUsd: 0 };
  for (const run of runs) {
    if (run.ended !== 0 && run.ended < since) continue;
    sum.tokens += run.spent.tokens;
    sum.costUsd += run.spent.costUsd;
  }
  return sum;
}
