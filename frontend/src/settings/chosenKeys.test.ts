import { afterEach, expect, test } from 'vitest';
import { chooseKeys, heard, keyFor, rowsOf } from '../state';
import { heardTyping } from '../state/keymap';
import {
  canChange,
  conflictsOf,
  refusedKey,
  withKey,
  without,
  type ChosenKeys,
} from './chosenKeys';

afterEach(() => chooseKeys({}));

test('a key that was chosen is heard and drawn in place of its own, and reset gives that back', () => {
  const chosen = withKey({}, 'board', 'filter', 0, 'Y');
  expect(chosen).toEqual({ 'board.filter': ['Y'] });
  chooseKeys(chosen);
  expect([heard('board', 'Y')?.id, heard('board', 'F'), keyFor('board', 'filter')]).toEqual([
    'filter',
    undefined,
    'Y',
  ]);
  expect(rowsOf('board').find(([id]) => id === 'filter')?.[1].keys).toEqual(['Y']);
  chooseKeys(without(chosen, 'board', 'filter'));
  expect([heard('board', 'F')?.id, keyFor('board', 'filter')]).toEqual(['filter', 'F']);
});

test('of a row with several keys one is another, and what it does keeps its place', () => {
  const chosen = withKey({}, 'board', 'walk', 1, 'I');
  chooseKeys(chosen);
  expect(heard('board', 'I')).toEqual({ id: 'walk', nth: 1 });
  expect(heard('board', 'J')).toEqual({ id: 'walk', nth: 0 });
  expect(withKey(chosen, 'board', 'walk', 1, 'K'), 'as it was').toEqual({});
});

test('a chosen key with Mod is heard while text is written, where the first one was', () => {
  chooseKeys(withKey({}, 'everywhere', 'palette', 0, 'Mod P'));
  expect([heardTyping('Mod P'), heardTyping('Mod K')]).toEqual([true, false]);
});

test('what fits no row is left out, and nothing is lost by it', () => {
  chooseKeys({
    'board.gone': ['Y'],
    'board.walk': ['Y'],
    'everywhere.back': ['Y'],
    'composer.send': ['Y'],
    'board.filter': [''],
  });
  expect(heard('board', 'Y')).toBeUndefined();
  expect(heard('everywhere', 'Esc')?.id).toBe('back');
  expect([heard('board', 'J')?.id, heard('board', 'F')?.id]).toEqual(['walk', 'filter']);
});

test('keys that say what they do, and those of fields, stay', () => {
  expect(canChange('board', 'filter', 0)).toBe(true);
  expect(canChange('everywhere', 'inbox', 0), 'two one after the other').toBe(true);
  expect(canChange('card', 'rename', 0), 'F2 is no digit').toBe(true);
  const fixed = [
    canChange('card', 'open', 0),
    canChange('card', 'beside', 0),
    canChange('question', 'choose', 3),
    canChange('mission', 'pane', 0),
    canChange('mission', 'pane', 9),
    canChange('form', 'save', 0),
  ];
  expect(fixed).toEqual(fixed.map(() => false));
});

const conflicts = (
  chosen: ChosenKeys,
  ...row: [place: 'board' | 'card' | 'everywhere' | 'archive', id: string]
) => {
  chooseKeys(chosen);
  return conflictsOf(...row, chosen).map(({ place, does }) => `${place} ${does}`);
};

test('a key that something else has shows so on both rows, and that of the person’s choice is heard', () => {
  const chosen = withKey({}, 'board', 'filter', 0, 'N');
  expect(conflicts(chosen, 'board', 'filter')).toEqual(['board keys.quickAdd']);
  expect(conflicts(chosen, 'board', 'quickAdd')).toEqual(['board keys.filter']);
  expect(heard('board', 'N')?.id).toBe('filter');
});

test('a key of a place around is a conflict, one of another screen is not', () => {
  expect(conflicts(withKey({}, 'card', 'stop', 0, 'J'), 'card', 'stop')).toContain(
    'board keys.walk',
  );
  expect(conflicts(withKey({}, 'archive', 'look', 0, 'N'), 'archive', 'look')).toEqual([]);
  expect(conflicts(withKey({}, 'everywhere', 'undo', 0, 'L'), 'everywhere', 'undo')).toContain(
    'card keys.labels',
  );
});

test('what the key map has twice itself is no conflict', () => {
  for (const place of ['board', 'card', 'everywhere', 'archive'] as const)
    for (const [id] of rowsOf(place))
      expect(conflicts({}, place, id), `${place} ${id}`).toEqual([]);
});

test('keys that fields, text and browsers need are refused', () => {
  expect(refusedKey('Mod C', 'board', 'filter', true)).toBe('keys.refusedText');
  expect(refusedKey('Mod A', 'everywhere', 'palette', true)).toBe('keys.refusedText');
  expect(refusedKey('Mod A', 'board', 'filter', true)).toBeUndefined();
  expect(refusedKey('Enter', 'board', 'filter', true)).toBe('keys.refusedControl');
  expect(refusedKey('Mod T', 'board', 'filter', false)).toBe('keys.refusedBrowser');
  expect(refusedKey('Mod T', 'board', 'filter', true)).toBeUndefined();
});
