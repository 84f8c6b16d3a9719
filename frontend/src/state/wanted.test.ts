// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { Wanted } from './wanted.svelte';

const key = (key: string, ctrlKey = false) => ({
  key,
  ctrlKey,
  shiftKey: false,
  metaKey: false,
  altKey: false,
});

test('what is typed before a field is there is its text, and no command', () => {
  let now = 0;
  const wanted = new Wanted(() => now);
  expect(wanted.type(key('e')), 'no field is asked for').toBe(false);

  wanted.ask('field', 'q1');
  expect([wanted.is('field', 'q1'), wanted.is('field', 'q2'), wanted.is('composer', 'q1')]).toEqual(
    [true, false, false],
  );
  expect(
    ['K', 'e', 'x', 'Backspace', 's', 'Enter'].map((one) => wanted.type(key(one))),
  ).not.toContain(false);
  expect(wanted.type(key('k', true)), 'a command with Mod').toBe(false);
  const field = document.createElement('textarea');
  field.value = 'As ';
  const heard: string[] = [];
  field.addEventListener('input', () => heard.push(field.value));
  wanted.give(field);
  expect([field.value, heard]).toEqual(['As Kes', ['As Kes']]);
  expect(wanted.type(key('e')), 'it has the focus').toBe(false);

  wanted.ask('composer', 't1');
  now = 4000;
  expect(wanted.type(key('e')), 'a page that takes its time').toBe(true);
  now = 8000;
  expect(wanted.is('composer', 't1'), 'since the last key').toBe(true);
  now = 20_000;
  expect([wanted.is('composer', 't1'), wanted.type(key('e'))], 'it never came').toEqual([
    false,
    false,
  ]);
  wanted.ask('composer', 't1');
  expect(wanted.type(key('Escape'))).toBe(false);
  expect(wanted.type(key('e'))).toBe(false);
});
