import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { blank, choicesOf, editOf, fieldsOf } from './fields';

const task = {
  title: 'Reject overlaps',
  brief: 'b',
  labels: ['parser', 'good first'],
  priority: 2,
  model: 'claude-x',
  mode: 'auto',
  policy: 'proceed',
  waitMs: 42_000,
} as beckon.Task;

test('a task that is opened to be edited and saved is as before', () => {
  const { title, brief, labels, priority, model, mode, policy, waitMs } = task;
  expect(editOf(fieldsOf(task))).toEqual({
    title,
    brief,
    labels,
    priority,
    model,
    mode,
    policy,
    waitMs,
  });
});

test('a model and a time that nobody offers are not lost by editing', () => {
  const { models, waits } = choicesOf(fieldsOf(task));
  expect(models[0]?.value).toBe('claude-x');
  expect(waits[0]).toEqual({ value: 'proceed 42000', label: '42 s, then carries on' });
});

test('what is left open in a new task is as the project says', () => {
  expect(editOf(blank())).toMatchObject({ model: '', mode: '', policy: '', waitMs: 0 });
  const project = { mode: 'plan', policy: 'wait', waitMs: 0 } as beckon.Project;
  expect(choicesOf(blank(), project).modes[0]).toEqual({ value: '', label: 'Plan first' });
});
