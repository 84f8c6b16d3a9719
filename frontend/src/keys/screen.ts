// Which places of the key map a screen has, the innermost first.

import { t, type MessageKey } from '../i18n/index.svelte';
import { timed, type KeyPlace, type Route } from '../state';

/** The places where keys act on a screen; `asks` is whether what has the focus is a question. */
export function placesOf(route: Route, asks: boolean): KeyPlace[] {
  const question: KeyPlace[] = asks ? ['question'] : [];
  const timeline: KeyPlace[] = timed.shown ? ['timeline'] : [];
  switch (route.page) {
    case 'board':
      return [...question, 'card', 'board', 'everywhere'];
    case 'task':
      if (route.tab === 'changes') return ['note', 'plan', 'diff', 'task', 'everywhere'];
      if (route.tab === 'questions') return ['history', 'task', 'everywhere'];
      return [...question, ...timeline, 'task', 'session', 'composer', 'everywhere'];
    case 'mission':
      return [...question, 'pane', 'mission', 'composer', 'outside', 'everywhere'];
    case 'inbox':
      return ['question', 'inbox', 'everywhere'];
    case 'archive':
      return ['archive', 'everywhere'];
    case 'decisions':
      return ['decisions', 'everywhere'];
    case 'numbers':
      return ['numbers', 'everywhere'];
    case 'settings':
      return ['everywhere'];
  }
}

const names: Record<Route['page'], MessageKey> = {
  board: 'keys.onBoard',
  task: 'keys.onTask',
  mission: 'keys.onMission',
  inbox: 'keys.onInbox',
  archive: 'keys.onArchive',
  decisions: 'keys.onDecisions',
  numbers: 'keys.onNumbers',
  settings: 'keys.onSettings',
};

export function screenName(route: Route): string {
  return t(names[route.page]);
}
