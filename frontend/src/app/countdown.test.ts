import { expect, test } from 'vitest';
import { passed } from './countdown';

test('a clock is said at one minute and at a quarter of one, each once', () => {
  const looks = [180_000, 60_400, 59_900, 58_900, 15_001, 15_000, 14_000, 0];
  const said = looks
    .map((left, i) => passed(looks[i - 1], left))
    .filter((mark) => mark !== undefined);
  expect(said).toEqual([60_000, 15_000]);
});

test('a clock that jumped over both marks says the one that presses', () => {
  expect(passed(90_000, 4_000)).toBe(15_000);
});

test('a page that has just opened says no mark that went by before it', () => {
  expect(passed(undefined, 9_000)).toBeUndefined();
});
