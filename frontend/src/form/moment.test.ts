import { expect, test } from 'vitest';
import { fromLocal, toLocal } from './moment';

test('a moment comes back from its field as it went in, to the minute', () => {
  const at = new Date(2027, 2, 28, 22, 5).getTime();
  expect(toLocal(at)).toBe('2027-03-28T22:05');
  expect(fromLocal(toLocal(at))).toBe(at);
  expect([toLocal(0), fromLocal(''), fromLocal('soon')]).toEqual(['', 0, 0]);
});
