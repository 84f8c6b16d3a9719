import { afterEach, expect, test } from 'vitest';
import { setLanguage } from './index.svelte';
import { said } from './reason';

afterEach(() => setLanguage('en', ''));

test('why a run stopped is said in the language of the page where Beckon says it', async () => {
  expect(said(undefined)).toBe('');
  expect(said({ code: 'youStopped' })).toBe('You stopped it.');
  await setLanguage('de', '');
  expect(said({ code: 'youStopped' })).toBe('Du hast ihn gestoppt.');
  expect(
    said({ code: 'claudeOld', args: { path: '/c', version: '2.0.1', oldest: '2.1.197' } }),
  ).toMatch(/^Claude unter \/c hat Version 2\.0\.1, und Beckon braucht 2\.1\.197 oder neuer/);
  expect(said({ code: 'planResets', args: { time: '14:31, 2 January' } })).toBe(
    'Das Limit deines Tarifs ist erreicht. Es beginnt neu um 14:31, 2 January.',
  );
  expect(said({ code: '', said: 'I gave up (a.*b)' })).toBe('I gave up (a.*b)');
  expect(said({ code: 'youMoved', args: { to: 'review' } })).toMatch(/^Du hast die Karte nach /);
});

test('why another machine cannot be used is said in the language of the page, to the last word', async () => {
  await setLanguage('de', '');
  const missing = { code: 'hostMissing', args: { host: 'farm' } };
  expect(said(missing)).toBe('Es gibt keinen Host farm: Sieh in deiner ssh-Konfiguration nach.');
  expect(
    said({
      code: 'hostKeyAt',
      args: { host: 'farm', line: '7', file: '/home/ada/.ssh/known_hosts' },
    }),
  ).toMatch(/lösche dann selbst Zeile 7 von \/home\/ada\/.ssh\/known_hosts\.$/);
  expect(
    said({
      code: 'helperCopy',
      args: { folder: '.beckon/core', host: 'farm' },
      why: { code: 'hostFull', args: { host: 'farm' } },
    }),
  ).toBe(
    'Beckons Hilfsprogramm ließ sich nicht nach ~/.beckon/core auf farm kopieren: Die Festplatte von farm ist voll.',
  );
  expect(
    said({
      code: 'workStill',
      args: { name: 'farm' },
      why: { code: 'hostAway', args: { host: 'farm', words: 'Connection refused' } },
    }),
  ).toBe(
    'Was der Agent getan hat, ist noch auf farm und kommt von selbst, sobald der Rechner erreichbar ist: farm antwortet nicht: Connection refused',
  );
});

test('a second reason is a line of its own, and a problem is said as its error', () => {
  const why = { code: 'backgroundEnded', args: { what: 'make' } };
  expect(said({ code: 'youStopped', why })).toBe(
    'You stopped it.\nWhat ran in the background ended with it: make',
  );
  expect(said({ code: '', said: 'Invalid key', why: { code: 'signIn' } })).toMatch(
    /^Invalid key\nSign in again/,
  );
  expect(said({ code: 'executorLost', args: { name: 'farm' } })).toMatch(
    /^The link to farm is lost/,
  );
});
