import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { chimes } from './chimes';

const notify: beckon.Notify = {
  questions: true,
  failures: true,
  finished: true,
  silent: false,
  sounds: true,
  chime: 'bell',
  quietFrom: 0,
  quietTo: 0,
};
const at = (hour: number, minute = 0) => new Date(2026, 2, 4, hour, minute);

test('a sound is off until one is chosen, and silent where questions are not wanted', () => {
  expect(chimes(notify, at(12))).toBe(true);
  expect(chimes({ ...notify, chime: '' }, at(12))).toBe(false);
  expect(chimes({ ...notify, questions: false }, at(12))).toBe(false);
});

test('quiet hours are quiet, over midnight too', () => {
  const night = { ...notify, quietFrom: 22 * 60, quietTo: 8 * 60 };
  expect([21, 22, 3, 7, 8].map((hour) => chimes(night, at(hour)))).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
  const noon = { ...notify, quietFrom: 12 * 60, quietTo: 14 * 60 };
  expect([chimes(noon, at(11, 59)), chimes(noon, at(12)), chimes(noon, at(14))]).toEqual([
    true,
    false,
    true,
  ]);
});
