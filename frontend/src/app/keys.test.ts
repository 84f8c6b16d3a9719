import { expect, test } from 'vitest';
import { keyOf, type Situation } from './keys';

const calm: Situation = { typing: false, dialog: false, control: false };
const press = (key: string, now: Partial<Situation> = {}, held: Partial<KeyboardEvent> = {}) =>
  keyOf(
    {
      key,
      shiftKey: false,
      altKey: false,
      ctrlKey: false,
      metaKey: false,
      isComposing: false,
      ...held,
    },
    { ...calm, ...now },
  );
const mod = { ctrlKey: true };

test('a digit answers from anywhere on the page', () => {
  expect(press('2')).toBe('2');
});

test('typing text never answers, queues or opens anything', () => {
  for (const key of ['2', 'c', 'q', 'o', '[', 'g', '?', 'Escape', 'Enter'])
    expect(press(key, { typing: true }), key).toBe('');
});

test('Mod J leads to the next answer, even while typing', () => {
  expect(press('j', { typing: true }, mod)).toBe('Mod J');
});

test('Mod Shift F searches from anywhere, Mod F alone belongs to what is shown', () => {
  expect(press('F', { typing: true }, { ...mod, shiftKey: true })).toBe('Mod Shift F');
  expect(press('f', { typing: true }, mod)).toBe('');
});

test('Mod and a number go to the view that shows that many, even while typing', () => {
  expect(press('3', { typing: true }, mod)).toBe('Mod 3');
});

test('Mod Z takes the last change back, and in a text what was typed', () => {
  expect(press('z', {}, mod)).toBe('Mod Z');
  expect(press('z', { typing: true }, mod)).toBe('');
});

test('Mod Q quits, even while typing, but not behind a dialog', () => {
  expect(press('q', { typing: true }, mod)).toBe('Mod Q');
  expect(press('q', { dialog: true }, mod)).toBe('');
});

test('text is selected and sent by its own keys while it is written', () => {
  for (const key of ['a', 'Enter', 's', 'c', 'v'])
    expect(press(key, { typing: true }, mod), key).toBe('');
});

test('Enter on a button presses the button and sends no answer', () => {
  expect(press('Enter', { control: true })).toBe('');
  expect(press(' ', { control: true })).toBe('');
  expect(press('Enter')).toBe('Enter');
});

test('a dialog keeps its keys from the page behind it', () => {
  expect(press('1', { dialog: true })).toBe('');
});

test('an input method that composes is not interrupted, in WebKit neither', () => {
  expect(press('Enter', {}, { isComposing: true })).toBe('');
  expect(press('Enter', {}, { keyCode: 229 })).toBe('');
});
