import { api, type beckon } from '../bridge';
import {
  attempt,
  behind,
  between,
  laneNames,
  sheets,
  stopped,
  store,
  taskHref,
  type Lane,
  type Lanes,
} from '../state';

/**
 * Where a card may be dropped. Beckon's own table decides; this one only
 * keeps the board from offering what it would refuse.
 */
const allowed: Record<Lane, readonly Lane[]> = {
  backlog: ['queued', 'running', 'done'],
  queued: ['backlog', 'running'],
  running: ['backlog', 'queued', 'review'],
  review: ['backlog', 'queued', 'running', 'done'],
  done: ['backlog', 'review'],
};

/** What opening a card shows: of work to review its changes, else its session. */
export function cardHref(task: beckon.Task, run: beckon.Run | undefined): string {
  return taskHref(
    task.key,
    task.status === 'review' && !stopped(task, run) ? 'changes' : 'session',
  );
}

/** Whether a card of one column may go to another, or to another place in its own. */
export function mayGo(from: Lane, to: Lane): boolean {
  return from === to || allowed[from].includes(to);
}

/** The next column to the left (-1) or right (1) that a card may go to. */
export function nextLane(home: Lane, at: Lane, by: -1 | 1): Lane | undefined {
  for (let i = laneNames.indexOf(at) + by; i >= 0 && i < laneNames.length; i += by) {
    if (mayGo(home, laneNames[i]!)) return laneNames[i];
  }
  return undefined;
}

/** The rank of the place `index` in a column, counted without the card that moves, among those that it is ranked with. */
export function rankAt(
  lane: beckon.Task[],
  taskId: string,
  index: number,
  ranked: (task: beckon.Task) => boolean = () => true,
): number {
  const others = lane.filter((task) => task.id !== taskId);
  const above = others.slice(0, index).findLast(ranked);
  const below = others.slice(index).find(ranked);
  if (above && !below && others.length < lane.length) return behind(above.rank);
  return between(above?.rank, below?.rank);
}

/** The board with one card shown elsewhere, while it is lifted. */
export function withCardAt(lanes: Lanes, task: beckon.Task, lane: Lane, index: number): Lanes {
  const result = { ...lanes };
  for (const name of laneNames) {
    if (lanes[name].some((one) => one.id === task.id))
      result[name] = lanes[name].filter((one) => one.id !== task.id);
  }
  result[lane] = result[lane].toSpliced(index, 0, task);
  return result;
}

/**
 * Moves a card. It stands in its new place at once; where Beckon refuses, it
 * goes back and a toast says why, or a sheet asks what it takes.
 */
export async function moveCard(task: beckon.Task, to: Lane, rank: number): Promise<boolean> {
  const shown: beckon.Task = {
    ...task,
    status: to,
    rank: rank === 0 ? endRank(to) : rank,
    updated: Date.now(),
  };
  store.tasks.set(task.id, shown);
  const went = await attempt(
    async () => {
      const moved = await api.moveTask(task.id, to, rank);
      if (store.tasks.get(task.id) === shown) store.tasks.set(task.id, moved);
    },
    {
      untrusted: () => sheets.trust(task.projectId, () => api.moveTask(task.id, to, rank)),
      unmerged: () => sheets.closeTask(task.id),
    },
  );
  // A frame may have told something newer meanwhile; that is kept.
  if (!went && store.tasks.get(task.id) === shown) store.tasks.set(task.id, task);
  return went;
}

function endRank(lane: Lane): number {
  const ranks = store.tasks
    .values()
    .filter((task) => task.status === lane)
    .map((task) => task.rank);
  return ranks.reduce((a, b) => Math.max(a, b), 0) + 1;
}
