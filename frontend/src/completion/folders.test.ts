import { expect, test } from 'vitest';
import { setLanguage } from '../i18n/index.svelte';
import { ago } from '../i18n/ago';
import { restOf, taken } from './folders.svelte';

const folder = { dir: '~/src/kestrel', git: true, branch: 'main', at: 0 };

test('what is offered goes on where the typing ended, in whatever case', () => {
  expect(restOf('~/src/kes', folder)).toBe('trel');
  expect(restOf('~/SRC/Kes', folder)).toBe('trel');
  expect(restOf('~/src/orc', folder)).toBe('');
  expect(restOf('~/src/kes', undefined)).toBe('');
});

test('a repository is the goal of a path, another folder is on the way', () => {
  expect(taken(folder)).toBe('~/src/kestrel');
  expect(taken({ ...folder, git: false, dir: '~/src' })).toBe('~/src/');
  expect(taken({ ...folder, git: false, dir: 'C:\\src' })).toBe('C:\\src\\');
});

test('a commit is dated as people say it, in the language of the page', async () => {
  const now = Date.UTC(2026, 4, 20, 12);
  const hour = 3_600_000;
  expect(ago(now + 5, now)).toBe('this minute');
  expect(ago(now - 40 * 60_000, now)).toBe('40 min. ago');
  expect(ago(now - 25 * hour, now)).toBe('yesterday');
  expect(ago(now - 22 * 24 * hour, now)).toBe('3 wk. ago');
  await setLanguage('de', 'de');
  expect(ago(now - 2 * hour, now)).toBe('vor 2 Std.');
});
