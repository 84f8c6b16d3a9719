// One change of many cards, and where the focus goes after it.
import { api, type beckon } from '../bridge';
import { blank, editOf, same } from '../form/fields';
import { blankStart } from '../form/starts';
import { attempt, follows, store, tell, undoOf } from '../state';
import { selection } from './selection.svelte';

/** The cards of ids that are still there. */
export function tasksOf(ids: string[]): beckon.Task[] {
  return ids.map((id) => store.tasks.get(id)).filter((task) => task !== undefined);
}

/** Says what came of a change, which its toast takes back. */
function say(result: beckon.ChangeResult): void {
  const [first] = result.step.taskIds;
  tell(result, (what) => what, first === undefined ? undefined : undoOf(first));
}

/** Makes one change of many cards and says what came of it. */
export async function changeMany(ids: string[], change: beckon.ManyChange): Promise<boolean> {
  return attempt(async () => {
    const result = await follows(api.changeTasks(ids, change));
    say(result);
    if (result.refused.length === 0 && ['queue', 'archive', 'delete'].includes(change.kind))
      selection.clear();
  });
}

/** How many of some cards a change can be made of, as far as the page knows. */
export function able(tasks: beckon.Task[], kind: 'queue' | 'archive' | 'delete'): number {
  return tasks.filter((task) => {
    if (kind === 'delete') return task.branch === '' && task.status !== 'running';
    if (kind === 'queue') return task.status === 'backlog' || task.status === 'review';
    return task.status !== 'running' && task.status !== 'archived';
  }).length;
}

/** A card with one title for each line, otherwise as another card or as its project says. */
export function taskOfLine(title: string, projectId: string, like?: beckon.Task): beckon.NewTask {
  return {
    ...editOf(blank()),
    ...(like && { ...same(like), brief: '', after: '', startsAt: 0, start: blankStart() }),
    labels: [...(like?.labels ?? [])],
    title,
    projectId,
    status: 'backlog',
  };
}

/** Puts the same card on the board once more. */
export async function duplicate(ids: string[]): Promise<void> {
  const copies = tasksOf(ids).map((task): beckon.NewTask => ({
    ...same(task),
    start: blankStart(), // the same branch is not worked on twice
    projectId: task.projectId,
    status: 'backlog',
  }));
  await addMany(copies);
}

export async function addMany(list: beckon.NewTask[]): Promise<boolean> {
  return attempt(async () => say(await api.createTasks(list)));
}

/** A line of a list that is ticked off. */
const ticked = /^\s*(?:(?:[-*+•]|\d+[.)])\s+)?\[[xX]\]\s/;

/** Lines that become cards: without the signs of lists, and without the empty ones and those that are ticked off. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => !ticked.test(line))
    .map((line) => line.replace(/^\s*(?:(?:[-*+•]|\d+[.)])\s+)?(?:\[ \]\s+)?/, '').trim())
    .filter(Boolean);
}
