// What sets an agent going again.

import { api, type beckon } from '../bridge';
import { attempt, sheets, startTask } from '../state';

/** start starts or resumes a task's agent, or its chat; a project that is not trusted is asked about first. */
export function start(task: beckon.Task, chat: boolean): Promise<boolean> {
  if (!chat) return startTask(task);
  const go = () => api.startInteractive(task.id);
  return attempt(go, {
    untrusted: () => sheets.trust(task.projectId, async () => void (await go())),
  });
}
