// How the key map is listed for the person: the places' names, and what is drawn of each key.

import { type MessageKey, t } from '../i18n/index.svelte';
import { keymap, rowsOf, type KeyPlace, type KeyRow } from '../state';

export const titles: Record<KeyPlace, MessageKey> = {
  everywhere: 'keys.titleEverywhere',
  question: 'keys.titleAnswer',
  card: 'keys.titleCard',
  board: 'app.board',
  mission: 'app.mission',
  pane: 'keys.titlePane',
  outside: 'keys.titleOutside',
  inbox: 'app.inbox',
  archive: 'app.archive',
  decisions: 'app.decisions',
  numbers: 'app.numbers',
  task: 'keys.titleTask',
  timeline: 'task.timeline',
  terminal: 'terminal.terminal',
  diff: 'keys.titleDiff',
  plan: 'keys.titlePlan',
  note: 'keys.titleNote',
  history: 'keys.titleHistory',
  session: 'keys.titleSession',
  composer: 'keys.titleMessage',
  imports: 'imports.title',
  repositories: 'keys.titleRepositories',
  quick: 'keys.titleQuick',
  form: 'keys.titleForm',
};

export interface Listed extends KeyRow {
  id: string;
}

/** The rows of a place; those of the window only where there is one. */
export function listed(place: KeyPlace, window: boolean): Listed[] {
  return rowsOf(place).flatMap(([id, row]) => (row.window && !window ? [] : [{ id, ...row }]));
}

export const places = Object.keys(keymap) as KeyPlace[];

/** Keys that are pressed one after the other; `upTo` stands for all between the one before and this one. */
export interface Drawn {
  caps: string[];
  upTo: boolean;
}

/** Keys that keyboards of other languages name otherwise. */
const named: Record<string, MessageKey> = {
  Space: 'keys.space',
  Delete: 'keys.delete',
  Home: 'keys.home',
  End: 'keys.end',
};

/** The keys of a row as they are drawn: digits in a row as the first and the last. */
export function drawn(keys: readonly string[]): Drawn[] {
  return keys.flatMap((key, i) => {
    const digit = Number(key.at(-1));
    const follows = digit > 1 && keys[i - 1] === `${key.slice(0, -1)}${digit - 1}`;
    const goesOn = digit > 0 && keys[i + 1] === `${key.slice(0, -1)}${digit + 1}`;
    if (follows && goesOn) return [];
    return [
      {
        caps: key.split('>').map((cap) =>
          cap
            .split(' ')
            .map((part) => (named[part] ? t(named[part]) : part))
            .join(' '),
        ),
        upTo: follows,
      },
    ];
  });
}
