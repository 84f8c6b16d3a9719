// What is chosen for cards stands beside them on the board, and elsewhere in the bar of the page.

import Pencil from '@lucide/svelte/icons/pencil';
import type { beckon } from '../bridge';
import { editing } from '../board/editing.svelte';
import { t } from '../i18n/index.svelte';
import { keyFor, sheets, theRouter, type Choice, type Command } from '../state';

const onBoard = () => theRouter().route.page === 'board';

/** Opens the list of what may be chosen for some cards. */
export function choose(what: Choice, ids: string[]): void {
  if (onBoard()) editing.now = { what, ids };
  else sheets.choose(what, ids);
}

/** A card is renamed in its place, which only the board has. */
export function rename(task: beckon.Task): Command[] {
  if (!onBoard()) return [];
  return [
    {
      label: t('cards.rename'),
      icon: Pencil,
      keys: keyFor('card', 'rename'),
      run: () => (editing.now = { what: 'rename', id: task.id }),
    },
  ];
}
