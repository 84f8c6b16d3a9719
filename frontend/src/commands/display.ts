// How the board in sight is displayed, without opening the panel for it.

import { t } from '../i18n/index.svelte';
import {
  groups,
  parts,
  plain,
  sameDisplay,
  sorts,
  type CardPart,
  type Display,
} from '../filter/display';
import { looks, projectBoard, viewBoard } from '../filter/looks.svelte';
import { store, theRouter, type Command } from '../state';

/** A command for each way a board could be shown and is not. */
export function displayCommands(): Command[] {
  const { route } = theRouter();
  if (route.page !== 'board') return [];
  const board = route.view
    ? viewBoard(route.view)
    : projectBoard(store.projectByKey(route.project));
  const now = looks.displayOf(board);
  const to = (label: string, change: Partial<Display>): Command => ({
    label,
    run: () => looks.setDisplay(board, { ...looks.displayOf(board), ...change }),
  });
  const part = (one: CardPart): Command => {
    const on = now.shows.includes(one);
    return to(onOff(t('filter.onCards') + ': ' + t(`filter.part_${one}`), on), {
      shows: parts.filter((other) => (other === one) !== now.shows.includes(other)),
    });
  };
  return [
    ...groups
      .filter((one) => one !== now.group)
      .map((group) => to(`${t('filter.groupBy')}: ${t(`filter.group_${group}`)}`, { group })),
    ...sorts
      .filter((one) => one !== now.sort)
      .map((sort) => to(`${t('filter.sortBy')}: ${t(`filter.sort_${sort}`)}`, { sort })),
    ...parts.filter((one) => one !== 'spent' || !store.settings.looks.hideSpent).map(part),
    to(onOff(t('filter.hideDone'), now.hideDone), { hideDone: !now.hideDone }),
    to(onOff(t('filter.hideEmpty'), now.hideEmpty), { hideEmpty: !now.hideEmpty }),
    ...(sameDisplay(now, plain) ? [] : [to(`${t('board.display')}: ${t('filter.reset')}`, plain)]),
  ];
}

function onOff(name: string, on: boolean): string {
  return t(on ? 'palette.turnOff' : 'palette.turnOn', { name });
}
