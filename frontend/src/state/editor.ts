import { api, type beckon } from '../bridge';
import { attempt } from './attempt';
import { sheets } from './sheets.svelte';
import { store } from './store.svelte';

const kept = 'beckon.editor';

/** Opens a line in the editor that was chosen last; asks which where none was, or that one is gone. */
export async function editAt(task: beckon.Task, at: beckon.DiffSpot): Promise<void> {
  const last = localStorage.getItem(kept);
  const there = store.about?.window && last !== null ? await api.programs().catch(() => []) : [];
  if (last !== null && there.includes(last)) await attempt(() => api.openFile(task.id, last, at));
  else sheets.openIn(task, at);
}

/** Opens a line in an editor, which is the one to open lines in from now on. */
export function editIn(program: string, taskId: string, at: beckon.DiffSpot): Promise<boolean> {
  localStorage.setItem(kept, program);
  return attempt(() => api.openFile(taskId, program, at));
}
