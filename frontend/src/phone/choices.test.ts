import { expect, test } from 'vitest';
import { choicesFor } from './choices';

const wish = {
  tool: 'Bash',
  description: '',
  command: 'make',
  path: '',
  diff: '',
  input: '{}',
  always: 'Bash(make:*)',
  lasting: ['Bash(make:*)'],
  destructive: false,
};

test('a phone gives nothing that holds for good', () => {
  expect(choicesFor({ kind: 'permission', permission: wish, taskId: 't' })).toEqual([
    { verdict: 'allow', project: false, mode: '' },
    { verdict: 'allowAlways', project: false, mode: '' },
    { verdict: 'deny', project: false, mode: '' },
  ]);
});

test('a plan is approved as it stands, with its edits accepted, or sent back', () => {
  expect(
    choicesFor({ kind: 'plan', taskId: 't' }).map(({ verdict, mode }) => `${verdict} ${mode}`),
  ).toEqual(['allow ', 'allow acceptEdits', 'deny ']);
});
