import { api, type beckon } from '../bridge';
import { store } from '../state';

/** How the check of a task ran the last time, if it did. */
export function checkOf(task: beckon.Task): beckon.ScriptRun | undefined {
  return store.scripts.get(`${task.id}/check`);
}

/** Has the files looked at that the check of a task is about: one that is outdated says so then. */
export function lookAtCheck(task: beckon.Task): void {
  const run = checkOf(task);
  if (run && run.state !== 'running' && task.branch !== '')
    api.lookAtCheck(task.id).catch(() => {}); // what was seen last stays
}
