import { beforeEach, expect, test } from 'vitest';
import '../i18n/desk';
import { announcer } from '../ui/announcer.svelte';
import { selection } from './selection.svelte';

beforeEach(() => selection.clear());

test('cards are chosen one by one, in order, and let go', () => {
  selection.toggle('b');
  selection.add(['b', 'a']);
  expect(selection.ids).toEqual(['b', 'a']);
  expect(announcer.polite.trim()).toBe('2 selected');
  selection.toggle('b');
  expect([selection.has('b'), selection.has('a'), selection.size]).toEqual([false, true, 1]);
  selection.clear();
  expect(selection.size).toBe(0);
});

test('a column is taken whole, and the second time let go without the others', () => {
  selection.add(['elsewhere', 'a']);
  selection.column(['a', 'b']);
  expect(selection.ids).toEqual(['elsewhere', 'a', 'b']);
  selection.column(['a', 'b']);
  expect(selection.ids).toEqual(['elsewhere']);
});

test('what is no longer on the board is no longer selected', () => {
  selection.add(['a', 'b']);
  selection.keep(new Set(['a', 'c']));
  expect(selection.ids).toEqual(['a']);
});
