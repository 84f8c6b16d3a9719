import { afterEach, expect, test } from 'vitest';
import { asBeckonError, BeckonError } from '../bridge';
import { setLanguage } from '../i18n/index.svelte';
import { explain, sentence } from './attempt';

afterEach(() => setLanguage('en', ''));

test('what a program compares errors by is not part of what a person reads', () => {
  expect(sentence('the branch is checked out elsewhere: conflict')).toEqual({ text: 'The branch is checked out elsewhere', code: 'conflict' });
  expect(sentence('read go.mod: file not found')).toEqual({ text: 'Read go.mod: file not found', code: '' });
  expect(sentence('invalid')).toEqual({ text: 'Invalid', code: '' });
});

test('an error with a name is said in the language of the page, with its values', () => {
  const failure = { code: 'conflict', message: 'a task in done cannot go to queued: conflict', problem: 'move', data: { from: 'done', to: 'queued' } };
  const error = asBeckonError(JSON.stringify(failure));
  expect(explain(error)).toBe('A task can’t go from Done to Queued.');
  setLanguage('de', '');
  expect(explain(error)).toBe('Eine Aufgabe kann nicht von Fertig nach Eingereiht.');
});

test('an error without a name, or with one the page does not know, keeps its detail', () => {
  const error = new BeckonError('conflict', 'main moved on: conflict', 'toString');
  expect(explain(error)).toBe('Main moved on');
  setLanguage('de', '');
  expect(explain(error)).toBe('Das geht gerade nicht: Main moved on');
});
