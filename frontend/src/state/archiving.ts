import { api, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { toasts } from '../ui/toasts.svelte';
import { attempt } from './attempt';
import { store } from './store.svelte';
import { undoMs, undoOf } from './undoing';

/** Puts a card away; the toast takes it back. */
export async function archiveTask(task: beckon.Task): Promise<boolean> {
  const went = await attempt(async () => show(task, await api.moveTask(task.id, 'archived', 0)));
  if (went)
    toasts.show(t('undo.didArchive', { key: task.key }), {
      tone: 'ok',
      ms: undoMs,
      action: undoOf(task.id),
    });
  return went;
}

/** Puts an archived card back where it was, with what was discarded of it, and says where that is. */
export async function restoreTask(task: beckon.Task): Promise<boolean> {
  const before = store.tasks.get(task.id) ?? task;
  return attempt(async () => {
    const back = await api.restoreTask(task.id);
    show(before, back);
    const discarded = before.resolution === 'discarded';
    const said = discarded && back.branch === '' ? 'undo.didRestoreGone' : 'undo.didRestore';
    const lane = t(`words.${back.status}`);
    // To discard once more takes a look at what would go; that is not undone in passing.
    const again = discarded ? undefined : undoOf(back.id);
    toasts.show(t(said, { key: back.key, lane }), { tone: 'ok', ms: undoMs, action: again });
  });
}

/** Shows what came of a card, unless a frame has told something newer meanwhile. */
function show(before: beckon.Task, after: beckon.Task): void {
  if (store.tasks.get(before.id) === before) store.tasks.set(after.id, after);
}
