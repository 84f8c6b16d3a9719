import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { begin, withUnsaved } from './unsaved';

const settings = (slots: number, paused = false) =>
  ({ slots, paused }) as unknown as beckon.Settings;
const paused = { paused: true } as unknown as Partial<beckon.Settings>;

test('an event of an earlier save takes no later change back', () => {
  const first = begin({ slots: 5 }, settings(3));
  const second = begin(paused, settings(5));
  expect(first(settings(5))).toEqual(settings(5, true));
  expect(withUnsaved(settings(5))).toEqual(settings(5, true));
  expect(second(settings(5, true))).toEqual(settings(5, true));
  expect(withUnsaved(settings(3))).toEqual(settings(3));
});

test('a save that failed leaves what is kept, an event that came meanwhile with it', () => {
  expect(begin({ slots: 5 }, settings(3))()).toEqual(settings(3));
  const fails = begin({ slots: 5 }, settings(3));
  expect(withUnsaved(settings(3, true))).toEqual(settings(5, true));
  expect(fails()).toEqual(settings(3, true));
});
