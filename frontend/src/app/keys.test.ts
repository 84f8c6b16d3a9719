import { expect, test } from 'vitest';
import { shortcuts } from '../state/shortcuts';
import { meaning, type Situation } from './keys';

const calm: Situation = { typing: false, dialog: false, control: false, mod: false, before: '' };
const press = (key: string, now: Partial<Situation> = {}, held: Partial<KeyboardEvent> = {}) =>
  meaning({ key, altKey: false, ctrlKey: false, metaKey: false, isComposing: false, ...held }, { ...calm, ...now });

test('a digit answers from anywhere on the page', () => {
  expect(press('2')).toEqual({ do: 'offer', key: '2', character: true });
});

test('typing text never answers, queues or opens anything', () => {
  for (const key of ['2', 'c', 'q', 'o', '[', 'g']) expect(press(key, { typing: true })).toEqual({ do: 'nothing' });
});

test('Mod J leads to the next answer, even while typing', () => {
  expect(press('j', { mod: true, typing: true })).toEqual({ do: 'answerNext' });
});

test('Mod Shift F searches from anywhere, Mod F alone belongs to what is shown', () => {
  expect(press('F', { mod: true, typing: true }, { shiftKey: true })).toEqual({ do: 'search' });
  expect(press('f', { mod: true })).toEqual({ do: 'nothing' });
});

test('Mod and a number are offered to the view that shows that many, even while typing', () => {
  expect(press('3', { mod: true, typing: true })).toEqual({ do: 'offer', key: 'Mod+3', character: false });
});

test('Mod Z takes the last change back, and in a text what was typed', () => {
  expect(press('z', { mod: true })).toEqual({ do: 'undo' });
  expect(press('z', { mod: true, typing: true })).toEqual({ do: 'nothing' });
  expect(press('Z', { mod: true }, { shiftKey: true })).toEqual({ do: 'nothing' });
});

test('Mod Q quits, even while typing, but not behind a dialog', () => {
  expect(press('q', { mod: true, typing: true })).toEqual({ do: 'quit' });
  expect(press('q', { mod: true, dialog: true })).toEqual({ do: 'nothing' });
});

test('shortcuts of the system are left alone', () => {
  expect(press('c', { mod: true })).toEqual({ do: 'nothing' });
  expect(press('c', {}, { altKey: true })).toEqual({ do: 'nothing' });
});

test('Enter on a button presses the button and sends no answer', () => {
  expect(press('Enter', { control: true })).toEqual({ do: 'nothing' });
  expect(press('Enter')).toEqual({ do: 'offer', key: 'Enter', character: false });
});

test('a dialog keeps its keys from the page behind it', () => {
  expect(press('1', { dialog: true })).toEqual({ do: 'nothing' });
});

test('an input method that composes is not interrupted', () => {
  expect(press('Enter', {}, { isComposing: true })).toEqual({ do: 'nothing' });
});

test('G then I goes to the Inbox, and I alone does not', () => {
  expect(press('g')).toEqual({ do: 'prefix' });
  expect(press('i', { before: 'g' })).toEqual({ do: 'go', page: 'inbox' });
  expect(press('m', { before: 'g' })).toEqual({ do: 'go', page: 'mission' });
  expect(press('i')).toEqual({ do: 'offer', key: 'i', character: true });
});

test('capital letters do as small ones', () => {
  expect(press('C')).toEqual({ do: 'offer', key: 'c', character: true });
});

test('every key that the settings promise for the whole page is heard', () => {
  const does = Object.entries(shortcuts).map(([name, caps]) => {
    const before = caps.length > 1 ? caps[0]!.toLowerCase() : '';
    const parts = caps.at(-1)!.split(' ');
    return [name, press(parts.at(-1)!, { before, mod: parts.includes('Mod') }, { shiftKey: parts.includes('Shift') }).do];
  });
  expect(Object.fromEntries(does)).toEqual({ undo: 'undo', answerNext: 'answerNext', search: 'search', quit: 'quit', inbox: 'go', mission: 'go', board: 'go', archive: 'go', newTask: 'offer', sidebar: 'offer' });
});
