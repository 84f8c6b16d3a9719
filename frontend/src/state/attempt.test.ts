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
  expect(sentence('the branch is checked out elsewhere: conflict')).toEqual({
    text: 'The branch is checked out elsewhere',
    code: 'conflict',
  });
  expect(sentence('read go.mod: file not found')).toEqual({
    text: 'Read go.mod: file not found',
    code: '',
  });
  expect(sentence('farm is away: unavailable: unavailable')).toEqual({
    text: 'Farm is away',
    code: 'unavailable',
  });
  expect(sentence('invalid')).toEqual({ text: 'Invalid', code: '' });
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

test('why a run stopped is said in the language of the page where Beckon wrote it', async () => {
  const stopped = 'You stopped it.';
  const old =
    'claude at /usr/bin/claude is version 2.0.1, and Beckon needs 2.1.197 or newer: install a new one with npm install -g @anthropic-ai/claude-code';
  expect(sentence(stopped).text).toBe(stopped);
  await setLanguage('de', '');
  expect(sentence(stopped).text).toBe('Du hast ihn gestoppt.');
  expect(sentence(old).text).toMatch(
    /^Claude unter \/usr\/bin\/claude hat Version 2\.0\.1, und Beckon braucht 2\.1\.197 oder neuer/,
  );
  expect(sentence("The plan's limit is reached. It resets at 14:31, 2 January.").text).toBe(
    'Das Limit deines Tarifs ist erreicht. Es beginnt neu um 14:31, 2 January.',
  );
  expect(sentence('I gave up (a.*b)').text).toBe('I gave up (a.*b)');
});

test('why another machine cannot be used is said in the language of the page, to the last word', async () => {
  await setLanguage('de', '');
  expect(
    sentence('There is no host farm: look for it in your ssh configuration.: unavailable').text,
  ).toBe('Es gibt keinen Host farm: Sieh in deiner ssh-Konfiguration nach.');
  const key =
    'farm shows a different key than before. It was set up again, or someone sits in between: ask its owner, then delete line 7 of /home/ada/.ssh/known_hosts yourself.';
  expect(sentence(key).text).toMatch(
    /lösche dann selbst Zeile 7 von \/home\/ada\/.ssh\/known_hosts\.$/,
  );
  const copy = "copy Beckon's helper into ~/.beckon/core on farm: The disk of farm is full.";
  expect(sentence(copy).text).toBe(
    'Beckons Hilfsprogramm ließ sich nicht nach ~/.beckon/core auf farm kopieren: Die Festplatte von farm ist voll.',
  );
  const still =
    'what the agent did is still on farm, and comes by itself when that can be reached: farm does not answer: Connection refused';
  expect(sentence(still).text).toBe(
    'Was der Agent getan hat, ist noch auf farm und kommt von selbst, sobald der Rechner erreichbar ist: farm antwortet nicht: Connection refused',
  );
  const error = new BeckonError('unavailable', 'farm: …', 'executorFailed', {
    name: 'farm',
    why: 'git was not found there, or is older than 2.38; install a newer one there: unavailable',
  });
  expect(explain(error)).toBe(
    'farm: Git wurde dort nicht gefunden oder ist älter als 2.38. Installiere dort ein neueres',
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
