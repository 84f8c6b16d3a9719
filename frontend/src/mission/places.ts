// Which tasks have a pane in Mission Control, and where. Pure, so that it is
// tested without a page.
import type { beckon } from '../bridge';

/** How an agent stands; `over` is one whose task is merged, closed or put away. */
export type Stage = 'waits' | 'works' | 'idle' | 'ended' | 'over';

/** What the places depend on. */
export interface Agent {
  taskId: string;
  stage: Stage;
  /** Since when it stands so: asked, started or ended. */
  since: number;
  /** Of one that waits: its turn among all that wait, 0 for what presses most. */
  turn?: number;
}

export type Agents = ReadonlyMap<string, Agent>;
export type Panes = beckon.Pane[];

/** How many panes are kept that are in no one's view and of no live agent. */
const most = 9;

/** How many removed tasks are remembered. */
const removedMost = 100;

/** What may make room for what, the first first. */
const roomFor: Partial<Record<Stage, Stage[]>> = {
  waits: ['ended', 'idle'],
  works: ['ended'],
  idle: ['ended'],
};

/**
 * The panes in order, of which the first `layout` are in view. What was saved
 * keeps its place; live agents take the free ones, those that wait first. What
 * finished stays until it is replaced: by an agent that works, or one that
 * needs the person, which an idle chat makes room for too. A pinned pane is
 * never replaced, nor is `held`, which has the focus. `removed` are those whose
 * pane the person took away, which come back when they need an answer.
 */
export function arrange(
  saved: Panes,
  layout: number,
  agents: Agents,
  held = '',
  removed: readonly string[] = [],
): Panes {
  const list = standing(saved, agents);
  const placed = new Set(list.map((pane) => pane.taskId));
  const comes = (one: Agent) =>
    !placed.has(one.taskId) &&
    (one.stage === 'waits' || (isLive(one) && !removed.includes(one.taskId)));
  list.push(
    ...inTurn(agents)
      .filter(comes)
      .map(({ taskId }) => ({ taskId, pinned: false })),
  );
  for (const { taskId, stage } of inTurn(agents)) {
    const at = list.findIndex((pane) => pane.taskId === taskId);
    const to = at < layout ? -1 : roomIn(list, layout, agents, roomFor[stage] ?? [], held);
    if (to >= 0) swap(list, at, to);
  }
  return list.filter(
    (pane, i) => i < Math.max(layout, most) || pane.pinned || isLive(agents.get(pane.taskId)),
  );
}

/** Those of the removed that have no pane again and a task that may get one; the last ones, as many as are kept. */
export function stillRemoved(removed: readonly string[], panes: Panes, agents: Agents): string[] {
  const placed = new Set(panes.map((pane) => pane.taskId));
  return removed
    .filter((id) => !placed.has(id) && (agents.get(id)?.stage ?? 'over') !== 'over')
    .slice(-removedMost);
}

/** Whether a process lives or a question waits. */
function isLive(agent: Agent | undefined): boolean {
  return agent !== undefined && agent.stage !== 'ended' && agent.stage !== 'over';
}

/** Those that wait first, in their turn; then the others, the oldest first. */
export function inTurn(agents: Agents): Agent[] {
  const first = (one: Agent) => (one.stage === 'waits' ? 0 : 1);
  return [...agents.values()]
    .filter(isLive)
    .sort((a, b) => first(a) - first(b) || (a.turn ?? 0) - (b.turn ?? 0) || a.since - b.since);
}

/** Brings a task into view because the person asked for it. */
export function bring(
  panes: Panes,
  layout: number,
  agents: Agents,
  taskId: string,
  held = '',
): Panes {
  const list = panes.some((pane) => pane.taskId === taskId)
    ? [...panes]
    : [...panes, { taskId, pinned: false }];
  const at = list.findIndex((pane) => pane.taskId === taskId);
  if (at < layout) return list;
  const to = roomIn(list, layout, agents, ['over', 'ended', 'idle', 'works', 'waits'], held);
  if (to >= 0) swap(list, at, to);
  return list;
}

/** Moves a pane to a place; those between make room. */
export function moved(panes: Panes, taskId: string, to: number): Panes {
  const pane = panes.find((one) => one.taskId === taskId);
  if (pane === undefined) return panes;
  return panes.filter((one) => one !== pane).toSpliced(to, 0, pane);
}

export type Way = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/** The place beside one in a grid, or the same where there is none. */
export function beside(at: number, way: Way, layout: number, count: number): number {
  const columns = columnsOf(layout);
  const column = at % columns;
  const to = {
    ArrowLeft: column > 0 ? at - 1 : at,
    ArrowRight: column < columns - 1 ? at + 1 : at,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
  }[way];
  return to >= 0 && to < Math.min(layout, count) ? to : at;
}

/** How many panes stand side by side. */
function columnsOf(layout: number): number {
  return { 1: 1, 2: 1, 4: 2, 6: 3, 9: 3 }[layout] ?? 2;
}

function standing(saved: Panes, agents: Agents): Panes {
  const seen = new Set<string>();
  return saved.filter(({ taskId, pinned }) => {
    const stage = agents.get(taskId)?.stage;
    if (stage === undefined || (stage === 'over' && !pinned) || seen.has(taskId)) return false;
    seen.add(taskId);
    return true;
  });
}

/** The place in view whose pane is given up first, or -1. */
function roomIn(list: Panes, layout: number, agents: Agents, order: Stage[], held: string): number {
  const rank = (pane: beckon.Pane) => order.indexOf(agents.get(pane.taskId)?.stage ?? 'over');
  const since = (pane: beckon.Pane) => agents.get(pane.taskId)?.since ?? 0;
  const may = list
    .slice(0, layout)
    .filter((pane) => !pane.pinned && pane.taskId !== held && rank(pane) >= 0);
  const [first] = may.sort((a, b) => rank(a) - rank(b) || since(a) - since(b));
  return first === undefined ? -1 : list.indexOf(first);
}

function swap(list: Panes, a: number, b: number): void {
  [list[a], list[b]] = [list[b]!, list[a]!];
}
