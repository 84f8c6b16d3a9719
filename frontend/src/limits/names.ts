// What totals and numbers are of, also where that was deleted since.

import { t } from '../i18n/index.svelte';
import { placeLabel, store } from '../state';
import { oneLine } from '../text/plain';

/** projectName is what a project is called, also where it is gone. */
export function projectName(id: string): string {
  return oneLine(store.projects.get(id)?.name ?? t('limits.gone'));
}

/** machineName is what an executor is called, also where it is gone; "" is this computer. */
export function machineName(id: string): string {
  return id === '' || store.executor(id) ? oneLine(placeLabel(id)) : t('limits.gone');
}
