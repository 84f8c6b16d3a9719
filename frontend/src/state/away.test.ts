// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

/** The page as it begins. */
const begin = async () => (await import('./away.svelte')).away;
const minute = 60_000;

test('an hour without anybody is a stretch, also over a restart, until it was seen', async () => {
  let away = await begin();
  away.attend(minute);
  expect(away.stretch).toBeUndefined();
  away.attend(60 * minute);
  expect(away.stretch).toBeUndefined();
  away.attend(60 * minute + 1); // too soon to be written down
  vi.resetModules();
  away = await begin();
  away.attend(120 * minute);
  expect(away.stretch).toEqual({ since: 60 * minute, until: 120 * minute });
  away.attend(130 * minute);
  vi.resetModules();
  away = await begin();
  expect(away.stretch).toEqual({ since: 60 * minute, until: 120 * minute });
  away.attend(200 * minute); // away again, and the first time was not seen yet
  expect(away.stretch).toEqual({ since: 60 * minute, until: 200 * minute });
  away.seen();
  expect(away.stretch).toBeUndefined();
  vi.resetModules();
  away = await begin();
  expect(away.stretch).toBeUndefined();
  away.attend(201 * minute);
  expect(away.stretch).toBeUndefined();
});

test('a clock that went back, and what nobody wrote, are no stretch', async () => {
  localStorage.setItem('beckon.away', '{"last":"x","away":{"since":5}}');
  let away = await begin();
  away.attend(1000 * minute);
  expect(away.stretch).toBeUndefined();
  away.attend(10 * minute);
  away.attend(69 * minute);
  expect(away.stretch).toBeUndefined();
  localStorage.setItem('beckon.away', 'null');
  vi.resetModules();
  away = await begin();
  away.attend(minute);
  expect(away.stretch).toBeUndefined();
});
