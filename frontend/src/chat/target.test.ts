import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { targetOf, isCommand, type Stage } from './target';

const task = (with_: Partial<beckon.Task> = {}) =>
  ({ id: 't', status: 'running', session: 's', ...with_ }) as beckon.Task;
const run = (phase: beckon.Phase, with_: Partial<beckon.Run> = {}) =>
  ({ phase, kind: 'task', session: 's', ...with_ }) as beckon.Run;
const question = (kind: beckon.QuestionKind, id: string = kind) =>
  ({ id, kind }) as beckon.Question;
const target = (stage: Partial<Stage>) =>
  targetOf({
    task: task(),
    run: run('working'),
    waiting: [],
    draft: { text: 'words', images: [] },
    ...stage,
  });

test('Enter begins a turn, or redirects the one that runs', () => {
  expect(target({ run: run('idle') })).toEqual({ kind: 'begin' });
  expect(target({ run: run('starting') })).toEqual({ kind: 'begin' });
  expect(target({})).toEqual({ kind: 'redirect' });
});

test('words go to the question that has waited longest', () => {
  expect(target({ waiting: [question('ask', 'first'), question('plan')] })).toMatchObject({
    kind: 'answer',
    question: { id: 'first' },
  });
  expect(target({ waiting: [question('permission')] })).toMatchObject({ kind: 'deny' });
  expect(target({ waiting: [question('plan')] })).toMatchObject({ kind: 'changes' });
});

test('what cannot answer waits, so that no question is taken back unseen', () => {
  const picture = { id: 'i' } as beckon.Image;
  expect(target({ waiting: [question('elicitation')] })).toEqual({ kind: 'queue' });
  expect(target({ waiting: [question('ask')], draft: { text: '', images: [picture] } })).toEqual({
    kind: 'queue',
  });
  expect(target({ waiting: [question('ask')], draft: { text: '/compact', images: [] } })).toEqual({
    kind: 'queue',
  });
});

test('a path is an answer, a command is none', () => {
  for (const text of ['/compact', '/plugin:go now', ' /clear'])
    expect(isCommand(text), text).toBe(true);
  for (const text of ['/usr/bin', 'use /compact', '/', '//'])
    expect(isCommand(text), text).toBe(false);
});

test('a message wakes an agent that sleeps, and none that never was or is over', () => {
  expect(target({ run: run('ended') })).toEqual({ kind: 'start', chat: false });
  expect(target({ run: run('ended', { kind: 'chat' }), task: task({ status: 'done' }) })).toEqual({
    kind: 'start',
    chat: true,
  });
  expect(target({ run: run('ended'), task: task({ status: 'done' }) })).toEqual({ kind: 'none' });
  expect(target({ run: run('ended'), task: task({ status: 'archived' }) })).toEqual({
    kind: 'none',
  });
  expect(target({ run: undefined, task: task({ session: '' }) })).toEqual({ kind: 'none' });
});
