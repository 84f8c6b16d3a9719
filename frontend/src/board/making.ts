// Makes a task with its budget, and says so.

import { api, asBeckonError, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { explain } from '../state';
import { toasts } from '../ui/toasts.svelte';

/**
 * making returns what makes a task, calls `made` once there is one, and says so. One with a budget is
 * queued behind that, so that it does not start without. Called again after an error, it goes on with
 * the task that there is. A budget that cannot be set leaves the task in the backlog, and says so.
 */
export function making(
  draft: beckon.NewTask,
  limit: beckon.Limit,
  made: () => void,
): () => Promise<void> {
  const limited = limit.usd > 0 || limit.tokens > 0;
  let task: beckon.Task | undefined;
  return async () => {
    if (!task) {
      task = await api.createTask(limited ? { ...draft, status: 'backlog' } : draft);
      made();
      if (limited && !(await allowed(task, limit))) return;
    }
    if (draft.status !== '' && task.status !== draft.status)
      task = await api.moveTask(task.id, draft.status, 0);
    toasts.show(
      t(task.status === 'backlog' ? 'board.madeBacklog' : 'board.madeQueued', { key: task.key }),
      { tone: 'ok' },
    );
  };
}

/** Sets the budget of a task that was made; where it cannot, says what to do and returns false. */
async function allowed(task: beckon.Task, limit: beckon.Limit): Promise<boolean> {
  try {
    await api.setBudget('task', task.id, limit, false);
    return true;
  } catch (thrown) {
    const why = explain(asBeckonError(thrown));
    toasts.show(t('board.madeNoBudget', { key: task.key, why }), { tone: 'bad', ms: 12_000 });
    return false;
  }
}
