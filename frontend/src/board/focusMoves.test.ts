import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import type { Lanes } from '../state';
import { afterCards, nextInNeed } from './focusMoves';

const cards = (...ids: string[]) => ids.map((id) => ({ id }) as beckon.Task);
const lanes: Lanes = { backlog: cards('a', 'b', 'c'), queued: [], running: [], review: cards('x'), done: [] };

test('the focus goes to the next card that stays, or to the one before', () => {
  expect(afterCards(lanes, 'a', ['a', 'b'])).toBe('c');
  expect(afterCards(lanes, 'c', ['b', 'c'])).toBe('a');
});

test('where a whole column goes, the focus goes to another one', () => {
  expect(afterCards(lanes, undefined, ['a', 'b', 'c'])).toBe('x');
  expect(afterCards(lanes, undefined, ['a', 'b', 'c', 'x'])).toBeUndefined();
});

test('the focus goes on to the next card that needs the person, or to the first', () => {
  const needs = (id: string) => ['a', 'c', 'd'].includes(id);
  expect(nextInNeed(['a', 'b', 'c', 'd'], 'b', needs)).toBe('c');
  expect(nextInNeed(['a', 'c', 'b'], 'b', needs)).toBe('a');
  expect(nextInNeed(['b'], 'b', needs)).toBeUndefined();
  expect(nextInNeed(['c', 'd'], 'elsewhere', needs)).toBe('c');
});
