import { changing } from '../question/changing.svelte';
import { api } from '../bridge';
import { t } from '../i18n/index.svelte';
import { nameOf } from '../state';

/** What redo would do again, in words; empty where there is nothing. */
export async function redoneNext(): Promise<string> {
  const step = await api.redoNext().catch(() => undefined);
  return step === undefined || step.kind === '' ? '' : nameOf(step);
}

/** What Mod Z would take back, in words; empty where there is nothing. */
export async function undoneNext(): Promise<string> {
  const answer = changing.last();
  const step = await api.undoNext().catch(() => undefined);
  if (answer !== undefined && !(step && step.at > answer.at)) return t('palette.yourAnswer');
  return step === undefined || step.kind === '' ? '' : nameOf(step);
}
