import { api, type beckon } from '../bridge';
import { attempt } from './attempt';
import { sheets } from './sheets.svelte';

/** Sets a task's agent going, once the project is trusted. Returns whether it went. */
export function startTask(task: beckon.Task): Promise<boolean> {
  const start = () => api.moveTask(task.id, 'running', 0);
  return attempt(start, { untrusted: () => sheets.trust(task.projectId, start) });
}
