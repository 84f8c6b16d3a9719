import { afterEach, expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { store } from '../state';
import { blankStart } from './starts';
import { blank, choicesOf, editOf, fieldsOf, newTaskOf } from './fields';

afterEach(() => (store.about = undefined));

const task = {
  title: 'Reject overlaps',
  brief: 'b',
  labels: ['parser', 'good first'],
  priority: 2,
  agent: '',
  model: 'claude-x',
  mode: 'auto',
  policy: 'proceed',
  waitMs: 42_000,
  start: { ...blankStart(), branch: 'feat/x' },
} as beckon.Task;

test('a task that is opened to be edited and saved is as before', () => {
  const { title, brief, labels, priority, agent, model, mode, policy, waitMs, start } = task;
  expect(editOf(fieldsOf(task))).toEqual({
    title,
    brief,
    labels,
    priority,
    agent,
    model,
    mode,
    policy,
    waitMs,
    start,
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

test('a task of another agent can have the models of that agent', () => {
  const kimi = { name: 'kimi', label: 'Kimi Code', models: [{ value: 'k3', name: 'Kimi K3' }] };
  const codex = { name: 'codex', label: 'Codex', models: [] };
  store.about = { agents: [kimi, codex] } as unknown as beckon.About;
  const project = { id: 'p', agent: 'kimi', mode: 'plan', policy: 'wait' } as beckon.Project;
  const models = (agent: string, of?: beckon.Project, model = '') =>
    choicesOf({ ...blank(), agent, model }, of).models.map(({ value }) => value);
  expect([models('', project), models('codex', project)]).toEqual([['', 'k3'], []]);
  expect(models('claude', project)).toContain('opus');
  expect([models('kimi'), models('kimi', undefined, 'gone')]).toEqual([
    ['', 'k3'],
    ['gone', '', 'k3'],
  ]);
  expect([models('codex'), models('codex', undefined, 'gone')]).toEqual([[], ['gone', '']]);
});

test('a model that was chosen for one agent does not go to another with a new task', () => {
  const kimi = { name: 'kimi', label: 'Kimi Code', models: [{ value: 'k3', name: 'Kimi K3' }] };
  store.about = { agents: [kimi] } as unknown as beckon.About;
  const chosen = (agent: string, model: string) =>
    newTaskOf({ ...blank(), model }, { id: 'p', agent, mode: 'plan' } as beckon.Project).model;
  expect([chosen('kimi', 'k3'), chosen('kimi', 'opus')]).toEqual(['k3', '']);
  expect([chosen('claude', 'opus'), chosen('claude', 'k3')]).toEqual(['opus', '']);
});
