// The keys that the person chooses in place of those of the key map, as the settings keep them, and
// what is wrong with a choice.

import type { MessageKey } from '../i18n/index.svelte';
import { changeable, keymap, rowName, rowsOf, type KeyPlace, type KeyRow } from '../state';
import { places } from '../keys/listing';

/** By the name of a row all of its keys. */
export type ChosenKeys = Record<string, string[]>;

const original = (place: KeyPlace, id: string): readonly string[] =>
  (keymap[place] as Record<string, KeyRow>)[id]!.keys;

/** Whether the nth key of a row can be another. */
export function canChange(place: KeyPlace, id: string, nth: number): boolean {
  return changeable(place, original(place, id)[nth]!);
}

/** The choice with another nth key of a row; a row that is as it was is left out. */
export function withKey(
  chosen: ChosenKeys,
  place: KeyPlace,
  id: string,
  nth: number,
  key: string,
): ChosenKeys {
  const was = original(place, id);
  const keys = (chosen[rowName(place, id)] ?? was).map((one, i) => (i === nth ? key : one));
  const rest = without(chosen, place, id);
  return keys.every((one, i) => one === was[i]) ? rest : { ...rest, [rowName(place, id)]: keys };
}

/** The choice with a row as it was. */
export function without(chosen: ChosenKeys, place: KeyPlace, id: string): ChosenKeys {
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => name !== rowName(place, id)));
}

/** Text is copied and pasted by these, and a browser does its own by those. */
const ofText = ['Mod C', 'Mod V', 'Mod X'];
const ofFields = ['Mod A', 'Mod Z', 'Mod Y', 'Mod Shift Z'];
const ofBrowser = ['T', 'N', 'W'].flatMap((key) => [`Mod ${key}`, `Mod Shift ${key}`]);

/** Why a key cannot be that of a row, if so. */
export function refusedKey(
  key: string,
  place: KeyPlace,
  id: string,
  window: boolean,
): MessageKey | undefined {
  const row = rowsOf(place).find(([one]) => one === id)?.[1];
  if (/(?:^|>)(?:Tab|Shift Tab|Enter|Space|Dead|Unidentified|Process)$/.test(key))
    return 'keys.refusedControl';
  if (ofText.includes(key) || (row?.typing && ofFields.includes(key))) return 'keys.refusedText';
  return !window && ofBrowser.includes(key) ? 'keys.refusedBrowser' : undefined;
}

/** Places that are on the page together, each with those around it. */
const around: Partial<Record<KeyPlace, KeyPlace[]>> = {
  question: ['card', 'board', 'pane', 'outside', 'mission', 'inbox', 'task'],
  card: ['board'],
  pane: ['mission'],
  outside: ['mission'],
  diff: ['task'],
  history: ['task'],
  session: ['task', 'pane'],
};

function together(a: KeyPlace, b: KeyPlace): boolean {
  return (
    [a, b].includes('everywhere') ||
    around[a]?.includes(b) === true ||
    around[b]?.includes(a) === true
  );
}

/** What else a key does. */
export interface Conflict {
  place: KeyPlace;
  does: MessageKey;
}

/**
 * What the keys of a row do besides, in its place or one that is there with it, where one of both
 * is of the person's choice: what the key map has twice itself is meant so.
 */
export function conflictsOf(place: KeyPlace, id: string, chosen: ChosenKeys): Conflict[] {
  const changed = (of: KeyPlace, row: string, key: string) =>
    rowName(of, row) in chosen && !original(of, row).includes(key);
  const keys = rowsOf(place).find(([one]) => one === id)?.[1].keys ?? [];
  const twice = keys.some((key, i) => keys.indexOf(key) !== i && changed(place, id, key));
  const others = places.flatMap((other) =>
    rowsOf(other).flatMap(([otherId, row]) => {
      const same = other === place;
      if ((same && otherId === id) || (!same && !together(place, other))) return [];
      const clash = row.keys.some(
        (key) => keys.includes(key) && (changed(place, id, key) || changed(other, otherId, key)),
      );
      return clash ? [{ place: other, does: row.does }] : [];
    }),
  );
  const itself = (keymap[place] as Record<string, KeyRow>)[id]!.does;
  return twice ? [{ place, does: itself }, ...others] : others;
}
