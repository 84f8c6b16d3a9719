import { expect, test } from 'vitest';
import { stepped } from './stepped';

test('what is in a list goes a place on or back, and not beyond its ends', () => {
  const list = ['a', 'b', 'c'];
  expect(stepped(list, 0, 1)).toEqual(['b', 'a', 'c']);
  expect(stepped(list, 2, -1)).toEqual(['a', 'c', 'b']);
  expect(stepped(list, 0, -1)).toBe(list);
  expect(stepped(list, 2, 1)).toBe(list);
  expect(stepped(list, -1, 1)).toBe(list);
});
