import { expect, test } from 'vitest';
import { flipped } from './shown';

const all = ['a', 'b', 'c'];

test('everything is an empty list, which one that is switched off ends', () => {
  expect(flipped([], all, 'b')).toEqual(['a', 'c']);
  expect(flipped(['a', 'c'], all, 'b')).toEqual([]);
  expect(flipped(['a'], all, 'c')).toEqual(['a', 'c']);
});

test('the last one stays, and what is gone does not count', () => {
  expect(flipped(['a'], all, 'a')).toEqual(['a']);
  expect(flipped([], ['a'], 'a')).toEqual([]);
  expect(flipped(['gone', 'a'], all, 'b')).toEqual(['a', 'b']);
  expect(flipped(['gone'], all, 'a')).toEqual(['a']);
});
