import { expect, test } from 'vitest';
import { atClock, halfHours, usualQuiet } from './hours';

test('every half hour of the day can be chosen, in order', () => {
  const all = halfHours(0).map(atClock);
  expect(all).toHaveLength(48);
  expect([all[0], all[1], all[47]]).toEqual(['00:00', '00:30', '23:30']);
  expect(halfHours(usualQuiet.quietFrom)).toEqual(halfHours(0));
});

test('a time that is no half hour stays what it is', () => {
  const all = halfHours(7 * 60 + 5).map(atClock);
  expect(all.slice(14, 17)).toEqual(['07:00', '07:05', '07:30']);
});
