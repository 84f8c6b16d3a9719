import { api, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { attempt, store, undoMs, undoOf } from '../state';
import { toasts } from '../ui/toasts.svelte';

/** How a task's project merges. */
export function usualWay(task: beckon.Task): beckon.MergeWay {
  return store.projects.get(task.projectId)?.mergeWay ?? 'merge';
}

/** Merges a task's branch into its base and says so; the toast takes it back. */
export async function mergeTask(task: beckon.Task, base: string, how: { way: beckon.MergeWay; message: string }): Promise<boolean> {
  const merged = await attempt(() => api.mergeAs(task.id, how));
  if (merged) toasts.show(t('review.merged', { key: task.key, base }), { tone: 'ok', ms: undoMs, action: undoOf(task.id) });
  return merged;
}
