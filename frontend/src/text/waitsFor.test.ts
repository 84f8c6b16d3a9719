import { afterEach, expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { setLanguage } from '../i18n/index.svelte';
import { waitsFor } from './waitsFor';

afterEach(() => setLanguage('en', ''));

const away = { code: 'hostMissing', args: { host: 'farm' } };
const failed = (why: beckon.Reason = away, name = 'farm') => ({
  code: 'executorFailed',
  args: { name },
  why,
});
const farm = (why?: beckon.Reason, name = 'farm') =>
  ({ executor: { name }, health: { why } }) as beckon.ExecutorStatus;
const waits = (
  why: beckon.Reason | undefined,
  status: beckon.Status = 'queued',
  executor = farm(),
) => waitsFor({ status, why } as beckon.Task, executor);

test('a queued card says for which executor it waits and why, in the language of the page', async () => {
  expect(waits(failed())).toBe(
    'Waits for farm: There is no host farm: look for it in your ssh configuration.',
  );
  expect(waits({ code: 'executorChecked', args: { name: 'farm' } })).toBe(
    'Waits for farm, which is being checked',
  );
  await setLanguage('de', '');
  expect(waits(failed())).toBe(
    'Wartet auf farm: Es gibt keinen Host farm: Sieh in deiner ssh-Konfiguration nach.',
  );
  expect(waits(failed({ code: 'gitThere' }))).toBe(
    'Wartet auf farm: Git wurde dort nicht gefunden oder ist älter als 2.38. Installiere dort ein neueres',
  );
});

test('what is no trouble of its executor is left to others to say', () => {
  expect(waits({ code: 'noCommon', args: { base: 'main', branch: 'work' } })).toBe('');
  expect(waits(failed(away, 'farmer'))).toBe('');
  expect(waits(failed(), 'review')).toBe('');
  expect(waits(undefined)).toBe('');
});

test('an executor that has another name by now is called by that', () => {
  expect(waits(failed(), 'queued', farm(away, 'Build farm'))).toBe(
    'Waits for Build farm: There is no host farm: look for it in your ssh configuration.',
  );
});
