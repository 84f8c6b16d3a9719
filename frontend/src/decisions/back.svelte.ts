// Has a task be what it was before a decision of it was chosen differently.

import { api, type beckon } from '../bridge';
import { ago } from '../i18n/ago';
import { t } from '../i18n/index.svelte';
import { agentSays, attempt, lately, undoMs } from '../state';
import { toasts } from '../ui/toasts.svelte';

/** A choice that is older, in milliseconds, is named before it is taken back by a key. */
const freshMs = 60_000;

/** What Mod Z does about each choice that was made here, by its id. */
const undos = new Map<string, () => void>();

let changes = $state(0);

/** How many choices were made and taken back here: who lists decisions reads them again. */
export const choices = {
  get changes(): number {
    return changes;
  },
};

/** Takes a choice back; its agent is stopped for it. Whether it came true. */
export async function takeBack({ id, key }: beckon.Task, choice: string): Promise<boolean> {
  const went = await attempt(() => api.takeChoiceBack(id, choice));
  if (!went) return false;
  changes++;
  const undo = undos.get(choice);
  if (undo) lately.forget(undo);
  undos.delete(choice);
  toasts.show(t('decisions.takenBack', { key }), { tone: 'ok' });
  return true;
}

/** Says that a decision was chosen differently, and has Mod Z take that back. */
export function chosen(task: beckon.Task, choice: string, began = Date.now()): void {
  changes++;
  const tell = (words: string, undo: () => void) => {
    undos.set(choice, undo);
    lately.did(undo);
    toasts.show(words, {
      tone: 'ok',
      ms: undoMs,
      action: { label: t('app.undo'), keys: 'Mod Z', run: () => lately.undo(undo) },
    });
  };
  const goBack = () => void takeBack(task, choice);
  const first = () => {
    if (Date.now() - began < freshMs) return goBack();
    tell(t('undo.old', { what: t('decisions.differ'), when: ago(began, Date.now()) }), goBack);
  };
  tell(t('decisions.differDone', { agent: agentSays(task.agent), key: task.key }), first);
}
