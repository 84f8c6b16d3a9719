// @vitest-environment jsdom
import { expect, test } from 'vitest';
import '../i18n/desk';
import '../i18n/screens';
import { t } from '../i18n/index.svelte';
import { places } from '../keys/listing';
import { rowsOf, takeKeys, theRouter, timed, type Route } from '../state';
import { toasts } from '../ui/toasts.svelte';
import { keyLines, reasonOf, withoutLine } from './keyLines';

const screens: Route[] = [
  { page: 'board', project: '' },
  { page: 'task', key: 'KES-1', tab: 'session' },
  { page: 'task', key: 'KES-1', tab: 'changes' },
  { page: 'task', key: 'KES-1', tab: 'questions' },
  { page: 'mission', key: '' },
  { page: 'inbox', question: '' },
  { page: 'archive', find: '' },
  { page: 'decisions' },
];

test('every key of the table has a line on its screen, or a reason why not', () => {
  const lines = new Set<string>();
  timed.shown = true;
  for (const route of screens) {
    Object.defineProperty(theRouter(), 'route', { value: route, configurable: true });
    for (const line of keyLines(true)) lines.add(`${line.label} ${line.keys}`);
  }
  timed.shown = false;
  const missing = places.flatMap((place) =>
    rowsOf(place)
      .filter(
        ([id, row]) =>
          reasonOf(place, id) === undefined && !lines.has(`${t(row.does)} ${row.keys[0]}`),
      )
      .map(([id]) => `${place}.${id}`),
  );
  expect(missing).toEqual([]);
});

test('the keys of the timeline are listed only while it is shown', () => {
  Object.defineProperty(theRouter(), 'route', { value: screens[1], configurable: true });
  const has = () => keyLines(false).some(({ label }) => label === t('keys.timeWait'));
  expect(has()).toBe(false);
  timed.shown = true;
  expect(has()).toBe(true);
  timed.shown = false;
});

test('no reason is given for a key that there is not', () => {
  const odd = Object.entries(withoutLine).flatMap(([place, reasons]) =>
    typeof reasons === 'string'
      ? []
      : Object.keys(reasons)
          .filter((id) => !rowsOf(place as never).some(([row]) => row === id))
          .map((id) => `${place}.${id}`),
  );
  expect(odd).toEqual([]);
});

test('a line presses its key, and says so where that does nothing', () => {
  Object.defineProperty(theRouter(), 'route', { value: screens[2], configurable: true });
  const line = keyLines(false).find((one) => one.keys === 'V')!;
  line.run();
  expect(toasts.current?.text).toBe('There is nothing to do that to here');
  const heard: string[] = [];
  const stop = takeKeys({ press: (cap) => heard.push(cap) > 0 });
  line.run();
  stop();
  expect(heard).toEqual(['V']);
});
