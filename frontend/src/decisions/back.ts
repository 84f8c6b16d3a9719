// Has a task be what it was before a decision of it was chosen differently.

import { api, type beckon } from '../bridge';
import { ago } from '../i18n/ago';
import { t } from '../i18n/index.svelte';
import { agentSays, attempt, lately, undoMs } from '../state';
import { toasts } from '../ui/toasts.svelte';

/** A choice that is older, in milliseconds, is named before it is taken back by a key. */
const freshMs = 60_000;

/** Takes it back; its agent is stopped for it. Whether it came true. */
export async function takeBack({ id, key }: beckon.Task): Promise<boolean> {
  const went = await attempt(() => api.takeChoiceBack(id));
  if (went) toasts.show(t('decisions.takenBack', { key }), { tone: 'ok' });
  return went;
}

/** Says that a decision was chosen differently, and has Mod Z take that back. */
export function chosen(task: beckon.Task, began = Date.now()): void {
  const undo = () => (Date.now() - began < freshMs ? void takeBack(task) : again());
  const again = () => {
    tell(t('undo.old', { what: t('decisions.differ'), when: ago(began, Date.now()) }));
  };
  const tell = (words: string) => {
    lately.did(undo);
    toasts.show(words, {
      tone: 'ok',
      ms: undoMs,
      action: { label: t('app.undo'), keys: 'Mod Z', run: () => lately.undo(undo) },
    });
  };
  tell(t('decisions.differDone', { agent: agentSays(task.agent), key: task.key }));
}
