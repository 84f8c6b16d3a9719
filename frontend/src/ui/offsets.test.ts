import { expect, test } from 'vitest';
import { Offsets } from './offsets';

test('a row is found where its heights put it, before and after one grows', () => {
  const o = new Offsets();
  o.set([10, 20, 30]);
  expect([0, 9, 10, 29, 30, 59, 60, 999].map((y) => o.at(y))).toEqual([0, 0, 1, 1, 2, 2, 2, 2]);
  o.resize(0, 100);
  expect([o.top(1), o.at(99), o.at(100), o.total]).toEqual([100, 0, 1, 150]);
});

test('an empty list has no place to fall out of', () => {
  const o = new Offsets();
  expect([o.at(0), o.total, o.top(3)]).toEqual([0, 0, 0]);
});

test('ten thousand rows agree with adding up', () => {
  const o = new Offsets();
  const heights = Array.from({ length: 10_000 }, (_, i) => ((i * 7) % 50) + 1);
  o.set([...heights]);
  for (let i = 0; i < heights.length; i += 3) {
    heights[i] = (i % 90) + 1;
    o.resize(i, heights[i]!);
  }
  let sum = 0;
  for (const [i, h] of heights.entries()) {
    if (i % 97 === 0) expect([o.top(i), o.at(sum), o.at(sum + h - 1)]).toEqual([sum, i, i]);
    sum += h;
  }
  expect(o.total).toBe(sum);
});
