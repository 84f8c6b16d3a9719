import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { begin, withUnsaved } from './unsaved';

const settings = (slots: number, paused: boolean) =>
  ({ slots, paused }) as unknown as beckon.Settings;

test('an event of an earlier save takes no later change back', () => {
  const first = begin({ slots: 5 });
  const second = begin({ away: true } as Partial<beckon.Settings>);
  first();
  expect(withUnsaved(settings(5, false))).toMatchObject({ slots: 5, away: true });
  second();
  expect(withUnsaved(settings(3, false))).toEqual(settings(3, false));
});
