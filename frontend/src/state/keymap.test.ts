import { expect, test } from 'vitest';
import { capOf, isCharacter } from '../ui/caps';
import { actsAround } from './focus';
import { doing, heard, heardTyping, keyFor, keymap, rowsOf, type Place } from './keymap';

const places = Object.keys(keymap) as Place[];
const cap = (key: string, held: Partial<KeyboardEvent> = {}) =>
  capOf({ key, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...held });

test('no place has two meanings for one key', () => {
  for (const place of places) {
    const keys = rowsOf(place).flatMap(([, row]) => row.keys);
    expect(
      keys.filter((key, i) => keys.indexOf(key) !== i),
      place,
    ).toEqual([]);
  }
});

test('every key that is listed is one that a keyboard gives', () => {
  const events: Record<string, string> = {
    Space: ' ',
    Esc: 'Escape',
    '←': 'ArrowLeft',
    '↑': 'ArrowUp',
    '↓': 'ArrowDown',
    '→': 'ArrowRight',
  };
  for (const key of places.flatMap((place) =>
    rowsOf(place).flatMap(([, row]) => row.keys.flatMap((one) => one.split('>'))),
  )) {
    const parts = key.split(' ');
    const last = parts.at(-1)!;
    const event = {
      shiftKey: parts.includes('Shift'),
      ctrlKey: parts.includes('Mod'),
      altKey: parts.includes('Alt'),
    };
    expect(
      cap(
        events[last] ?? (last.length === 1 && !event.shiftKey ? last.toLowerCase() : last),
        event,
      ),
      key,
    ).toBe(key);
  }
});

test('a key is the character that it types, capital or not', () => {
  expect(cap('c')).toBe('C');
  expect(cap('C'), 'with the Caps Lock').toBe('C');
  expect(cap('J', { shiftKey: true })).toBe('Shift J');
  expect(cap('?', { shiftKey: true }), 'a sign is itself, however it is typed').toBe('?');
  expect(cap('1', { shiftKey: true }), 'a French keyboard').toBe('1');
  expect(
    cap('[', { ctrlKey: true, altKey: true, getModifierState: (name) => name === 'AltGraph' }),
    'a German keyboard',
  ).toBe('[');
});

test('keys of the system are left alone', () => {
  expect(cap('c', { metaKey: true })).toBe('');
});

test('of the keys that are heard while typing all are held with Mod', () => {
  expect([
    heardTyping('Mod J'),
    heardTyping('Mod 3'),
    heardTyping('G>3'),
    heardTyping('['),
    heardTyping(''),
  ]).toEqual([true, true, false, false, false]);
});

test('what has nothing to do leaves the key to others', () => {
  const press = doing('history', { walk: (nth) => nth === 0 });
  const event = {} as KeyboardEvent;
  expect([press('J', event), press('K', event), press('5', event)]).toEqual([true, false, false]);
});

test('of several keys the one that was pressed is known', () => {
  expect(heard('question', '3')).toEqual({ id: 'choose', nth: 2 });
  expect(keyFor('mission', 'pane', 2)).toBe('Mod 3');
});

test('single keys that are switched off act only on what has the focus', () => {
  for (const key of ['C', '?', 'Shift J', 'G>I']) expect(actsAround(key, false), key).toBe(true);
  for (const key of ['Mod J', 'Enter', 'Esc', 'Delete', '↓'])
    expect(actsAround(key, false), key).toBe(false);
  expect(actsAround('C', true)).toBe(false);
  expect(isCharacter('Space'), 'Space lifts where it is').toBe(false);
});
