import { afterEach, expect, test } from 'vitest';
import { asBeckonError, BeckonError } from '../bridge';
import { setLanguage } from '../i18n/index.svelte';
import { toasts } from '../ui/toasts.svelte';
import { attempt, explain, sentence } from './attempt';
import { store } from './store.svelte';

afterEach(() => {
  store.connection = 'connecting';
  return setLanguage('en', '');
});

test('what a program compares errors by is not part of what a person reads', () => {
  expect(sentence('the branch is checked out elsewhere: conflict')).toBe(
    'The branch is checked out elsewhere',
  );
  expect(sentence('read go.mod: file not found')).toBe('Read go.mod: file not found');
  expect(sentence('farm is away: unavailable: unavailable')).toBe('Farm is away');
  expect(sentence('invalid')).toBe('Invalid');
});

test('an error with a name is said in the language of the page, with its values', async () => {
  const failure = {
    code: 'conflict',
    message: 'a task in done cannot go to queued: conflict',
    problem: 'move',
    data: { from: 'done', to: 'queued' },
  };
  const error = asBeckonError(JSON.stringify(failure));
  expect(explain(error)).toBe('A task can’t go from Done to Queued.');
  await setLanguage('de', '');
  expect(explain(error)).toBe('Eine Aufgabe kann nicht von Fertig nach Eingereiht.');
});

test('an error without a name, or with one the page does not know, keeps its detail', async () => {
  const error = new BeckonError('conflict', 'main moved on: conflict', 'toString');
  expect(explain(error)).toBe('Main moved on');
  await setLanguage('de', '');
  expect(explain(error)).toBe('Das geht gerade nicht: Main moved on');
});

test('an error with a reason says it in the language of the page', async () => {
  const why = { code: 'gitThere' };
  const failed = { code: 'unavailable', message: 'farm: …', data: { name: 'farm' }, why };
  const known = asBeckonError(JSON.stringify({ ...failed, problem: 'executorFailed' }));
  await setLanguage('de', '');
  expect(explain(known)).toBe(
    'farm: Git wurde dort nicht gefunden oder ist älter als 2.38. Installiere dort ein neueres',
  );
  expect(explain(asBeckonError(JSON.stringify({ ...failed, code: 'conflict' })))).toBe(
    'Das geht gerade nicht: Git wurde dort nicht gefunden oder ist älter als 2.38. Installiere dort ein neueres',
  );
});

test('of a reply that was lost it is said that it may be done, and that Beckon is away only where it is', async () => {
  const lost = () => Promise.reject(new BeckonError('unreachable', 'gone'));
  store.connection = 'lost';
  await attempt(lost);
  expect(toasts.current?.text).toMatch(/^Beckon isn’t running/);
  store.connection = 'open';
  await attempt(lost);
  expect(toasts.current?.text).toMatch(/may be done or not.*is kept\. Look before/);
  expect(explain(new BeckonError('unreachable', 'gone')), 'of what was to be read').toMatch(
    /reply was lost.*Try again/,
  );
});
