import { api, type beckon, type BeckonError } from '../bridge';
import { t } from '../i18n/index.svelte';
import { attempt, explain, sheets, store, undoMs, undoOf } from '../state';
import { toasts } from '../ui/toasts.svelte';

type MergeHow = Pick<beckon.MergeOrder, 'way' | 'message'>;

/** How a task's project merges. */
export function usualWay(task: beckon.Task): beckon.MergeWay {
  return store.projects.get(task.projectId)?.mergeWay ?? 'merge';
}

/** Merges a task's branch into its base and says so; the toast takes it back. What failed its check is asked about first, and what would steer or run something on this computer. */
export function mergeTask(task: beckon.Task, base: string, how: MergeHow): Promise<boolean> {
  return merge(task, base, { ...how, failedCheck: false, steering: false });
}

async function merge(task: beckon.Task, base: string, order: beckon.MergeOrder): Promise<boolean> {
  const ask = (files: string, seen: Partial<beckon.MergeOrder>) =>
    sheets.mergeAnyway(task, base, files, () => void merge(task, base, { ...order, ...seen }));
  const merged = await attempt(() => api.mergeAs(task.id, order), {
    checkFailed: () => ask('', { failedCheck: true }),
    steering: (error: BeckonError) => {
      // What would be agreed to here is of the task's own repository alone.
      if ((error.data.part ?? task.id) !== task.id) toasts.show(explain(error), { tone: 'bad' });
      else ask(error.data.files ?? '', { steering: true });
    },
  });
  if (merged)
    toasts.show(t('review.merged', { key: task.key, base }), {
      tone: 'ok',
      ms: undoMs,
      action: undoOf(task.id),
    });
  return merged;
}
