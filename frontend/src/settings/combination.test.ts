import { expect, test } from 'vitest';
import { combination } from './combination';

const press = (code: string, held: Partial<KeyboardEvent> = {}) =>
  combination({ code, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, ...held });

test('a combination is named as Beckon keeps it', () => {
  expect(press('KeyJ', { ctrlKey: true, altKey: true })).toBe('Ctrl+Alt+J');
  expect(press('Digit1', { metaKey: true, shiftKey: true })).toBe('Shift+Super+1');
});

test('keys that people type are not taken', () => {
  expect(press('KeyJ')).toBeUndefined();
  expect(press('KeyJ', { shiftKey: true })).toBeUndefined();
  expect(press('ControlLeft', { ctrlKey: true })).toBeUndefined();
  expect(press('Enter', { ctrlKey: true })).toBeUndefined();
});
