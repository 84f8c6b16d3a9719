import { afterEach, expect, test } from 'vitest';
import { clock, cost, duration, moment, second, tokens } from './format';
import { parts, setLanguage, t } from './index.svelte';

afterEach(() => setLanguage('en', ''));

test('counted things agree with their number, in both languages', async () => {
  expect([t('words.tasks', { n: 1 }), t('words.tasks', { n: 2 })]).toEqual(['1 task', '2 tasks']);
  await setLanguage('de', '');
  expect([t('words.tasks', { n: 1 }), t('words.tasks', { n: 2000 })]).toEqual([
    '1 Aufgabe',
    '2.000 Aufgaben',
  ]);
});

test('the system decides where the person did not', async () => {
  await setLanguage('', 'de-AT');
  expect(t('app.settings')).toBe('Einstellungen');
  await setLanguage('', 'fr-FR');
  expect(t('app.settings')).toBe('Settings');
});

test('the words of an agent are shown as they are, braces and all', () => {
  expect(t('words.executing', { target: 'echo {n} $& {target}' })).toBe(
    'Running echo {n} $& {target}',
  );
});

test('what an agent works on can be set in another face, wherever the language puts it', async () => {
  await setLanguage('de', '');
  expect(parts('words.executing', { target: 'go test' })).toEqual([
    { text: 'Führt ' },
    { text: 'go test', hole: 'target' },
    { text: ' aus' },
  ]);
});

test('figures are written as the design writes them', () => {
  expect([clock(134_000), clock(-5), clock(3_723_000)]).toEqual(['2:14', '0:00', '1:02:03']);
  expect([duration(38_000), duration(18 * 60_000), duration(125 * 60_000)]).toEqual([
    '38 s',
    '18 min',
    '2 h 5 min',
  ]);
  expect([tokens(812), tokens(412_300), tokens(999_600), tokens(2_940_000)]).toEqual([
    '812',
    '412k',
    '1 M',
    '2.9 M',
  ]);
  expect(cost(1.855)).toBe('$1.86');
});

test('a moment to the second has its time on any day', () => {
  const at = new Date(2026, 4, 12, 14, 2, 7).getTime();
  expect(second(at, at + 1000)).toBe('14:02:07');
  expect(second(at, new Date(2026, 4, 13, 9).getTime())).toBe('Tue 14:02:07');
  expect(second(at, new Date(2026, 5, 20).getTime())).toBe('May 12 14:02:07');
});

test('a moment today is a time, one this week a day', () => {
  const now = new Date(2026, 4, 14, 15, 0).getTime();
  expect(moment(new Date(2026, 4, 14, 14, 2).getTime(), now)).toBe('14:02');
  expect(moment(new Date(2026, 4, 12, 23, 59).getTime(), now)).toBe('Tue');
  expect(moment(new Date(2026, 3, 3).getTime(), now)).toBe('Apr 3');
});
