import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import type { Lanes } from '../state';
import { afterCards } from './focusMoves';

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
