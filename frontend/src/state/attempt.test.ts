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
  expect(sentence('the branch is checked out elsewhere: conflict')).toEqual({ text: 'The branch is checked out elsewhere', code: 'conflict' });
  expect(sentence('read go.mod: file not found')).toEqual({ text: 'Read go.mod: file not found', code: '' });
  expect(sentence('invalid')).toEqual({ text: 'Invalid', code: '' });
});

test('an error with a name is said in the language of the page, with its values', async () => {
  const failure = { code: 'conflict', message: 'a task in done cannot go to queued: conflict', problem: 'move', data: { from: 'done', to: 'queued' } };
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

test('why a run stopped is said in the language of the page where Beckon wrote it', async () => {
  const stopped = 'You stopped it.';
  const old = 'claude at /usr/bin/claude is version 2.0.1, and Beckon needs 2.1.197 or newer: install a new one with npm install -g @anthropic-ai/claude-code';
  expect(sentence(stopped).text).toBe(stopped);
  await setLanguage('de', '');
  expect(sentence(stopped).text).toBe('Du hast ihn gestoppt.');
  expect(sentence(old).text).toMatch(/^Claude unter \/usr\/bin\/claude hat Version 2\.0\.1, und Beckon braucht 2\.1\.197 oder neuer/);
  expect(sentence("The plan's limit is reached. It resets at 14:31, 2 January.").text).toBe('Das Limit deines Tarifs ist erreicht. Es beginnt neu um 14:31, 2 January.');
  expect(sentence('I gave up (a.*b)').text).toBe('I gave up (a.*b)');
});

test('of a reply that was lost it is said that it may be done, and that Beckon is away only where it is', async () => {
  const lost = () => Promise.reject(new BeckonError('unreachable', 'gone'));
  store.connection = 'lost';
  await attempt(lost);
  expect(toasts.current?.text).toMatch(/^Beckon isn’t running/);
  store.connection = 'open';
  await attempt(lost);
  expect(toasts.current?.text).toMatch(/may be done or not.*is kept\. Look before/);
  expect(explain(new BeckonError('unreachable', 'gone')), 'of what was to be read').toMatch(/reply was lost.*Try again/);
});
