import { expect, test } from 'vitest';
import { chosenOf, nameFrom, scheduleOf } from './schedule';

test('what is chosen is the same after it was kept', () => {
  for (const schedule of [
    '',
    '0 7 * * *',
    '30 18 * * 1-5',
    '5 0 * * 0',
    '*/10 * * * *',
    '0 7 1 * *',
  ])
    expect(scheduleOf(chosenOf(schedule))).toBe(schedule);
});

test('a simple line is shown as what it says', () => {
  expect(chosenOf('30 18 * * 1-5')).toMatchObject({ pace: 'weekdays', time: '18:30' });
  expect(chosenOf('5 0 * * 0')).toMatchObject({ pace: 'weekly', time: '00:05', day: 0 });
  expect(chosenOf('61 7 * * *')).toMatchObject({ pace: 'cron', cron: '61 7 * * *' });
});

test('a name is one that the command line takes', () => {
  expect(nameFrom('Update the dependencies, weekly!')).toBe('update-the-dependencies-weekly');
  expect(nameFrom('🚀')).toBe('');
});
