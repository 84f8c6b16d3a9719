import { afterEach, expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { setLanguage } from '../i18n/index.svelte';
import { waitsFor } from './waitsFor';

afterEach(() => setLanguage('en', ''));

const farm = (problem: string, name = 'farm') =>
  ({ executor: { name }, health: { problem } }) as beckon.ExecutorStatus;
const waits = (trouble: string, status: beckon.Status = 'queued', executor = farm('')) =>
  waitsFor({ status, trouble } as beckon.Task, executor);

test('a queued card says for which executor it waits and why, in the language of the page', async () => {
  const away = 'farm: There is no host farm: look for it in your ssh configuration.: unavailable';
  const old =
    'farm: git was not found there, or is older than 2.38; install a newer one there: unavailable: unavailable';
  expect(waits(away)).toBe(
    'Waits for farm: There is no host farm: look for it in your ssh configuration.',
  );
  expect(waits('farm is being looked at: unavailable')).toBe(
    'Waits for farm, which is being checked',
  );
  await setLanguage('de', '');
  expect(waits(away)).toBe(
    'Wartet auf farm: Es gibt keinen Host farm: Sieh in deiner ssh-Konfiguration nach.',
  );
  expect(waits(old)).toBe(
    'Wartet auf farm: Git wurde dort nicht gefunden oder ist älter als 2.38. Installiere dort ein neueres',
  );
});

test('what is no trouble of its executor is left to others to say', () => {
  expect(waits('the branch is gone: conflict')).toBe('');
  expect(waits('farmer: away')).toBe('');
  expect(waits('farm: away', 'review')).toBe('');
});

test('an executor that has another name by now is called by that', () => {
  const problem = 'There is no host farm: look for it in your ssh configuration.';
  expect(waits(`farm: ${problem}: unavailable`, 'queued', farm(problem, 'Build farm'))).toBe(
    `Waits for Build farm: ${problem}`,
  );
});
