import { beforeEach, expect, test } from 'vitest';
import type { beckon } from '../bridge';
import {
  agentChoices,
  agentFor,
  agentLabel,
  agentModelLabel,
  agentModels,
  agentOf,
  agentOptions,
  agentSays,
  agentSign,
  askerOf,
  modelOfTask,
  nextAgents,
  otherAgents,
} from './agents';
import { store } from './store.svelte';

const codex = { name: 'codex', label: 'Codex', sign: 'Cx', found: false, models: [] };
const kimi = {
  name: 'kimi',
  label: 'Kimi Code',
  sign: 'Ki',
  found: true,
  models: [
    { value: 'k3', name: 'Kimi K3' },
    { value: 'k3-turbo', name: '' },
  ],
};

beforeEach(() => {
  store.about = { agents: [codex, kimi] } as unknown as beckon.About;
});

test('a task can have what is found here, and what it has', () => {
  expect(agentOptions('').map(({ label }) => label)).toEqual(['Claude Code', 'Kimi Code']);
  expect(agentOptions('codex').map(({ value }) => value)).toEqual(['', 'kimi', 'codex']);
  expect(agentOptions('gone').map(({ label }) => label)).toEqual([
    'Claude Code',
    'Kimi Code',
    'gone',
  ]);
});

test('an agent is called by its name', () => {
  expect([agentSays(''), agentSays('kimi'), agentLabel('')]).toEqual([
    'Claude',
    'Kimi Code',
    'Claude Code',
  ]);
  expect([agentSign(''), agentSign('codex'), agentSign('gone')]).toEqual(['Cl', 'Cx', 'go']);
});

test('a task goes on with another agent that is here', () => {
  const next = (agent: string) => nextAgents({ agent } as beckon.Task).map(({ value }) => value);
  expect([next(''), next('kimi')]).toEqual([['kimi'], ['']]);
  store.about!.claudeTrouble = 'missing' as beckon.About['claudeTrouble'];
  expect([next(''), next('kimi')]).toEqual([['kimi'], []]);
});

test('who works on a task is the agent of the run, else that of the task', () => {
  store.apply({
    events: [
      { seq: 1, task: { id: 't', agent: 'kimi' } },
      { seq: 2, run: { id: 'r', taskId: 't', agent: 'codex', number: 1 } },
    ],
  } as unknown as beckon.Frame);
  expect([agentOf('t'), agentOf('t', 'r'), agentOf('t', 'gone')]).toEqual([
    'Kimi Code',
    'Codex',
    'Kimi Code',
  ]);
  expect(askerOf({ taskId: '', runId: 'elsewhere' })).toBe('Claude');
});

test('signs are for those who have more than one', () => {
  expect(otherAgents()).toBe(true);
  store.about = { agents: [codex] } as unknown as beckon.About;
  expect(otherAgents()).toBe(false);
});

test('a new task has the agent that it names, or its project, or the settings', () => {
  const project = (agent: string) => ({ agent }) as beckon.Project;
  expect([agentFor('', project('')), agentFor('kimi', project('codex'))]).toEqual(['', 'kimi']);
  expect([agentFor('', project('codex')), agentFor('claude', project('codex'))]).toEqual([
    'codex',
    '',
  ]);
  store.settings = { ...store.settings, agent: 'kimi' };
  expect([agentFor('', project('')), agentFor('', project('claude')), agentFor('')]).toEqual([
    'kimi',
    '',
    '',
  ]);
  store.settings = { ...store.settings, agent: '' };
});

test('a default is the first choice, and is not among the others', () => {
  const values = (...of: Parameters<typeof agentChoices>) =>
    agentChoices(...of).map(({ value, label }) => [value, label]);
  expect(values('', '')).toEqual([
    ['', 'Claude Code'],
    ['kimi', 'Kimi Code'],
  ]);
  expect(values('claude', 'kimi')).toEqual([
    ['', 'Kimi Code'],
    ['claude', 'Claude Code'],
  ]);
});

test('an agent has the models that it offered, its own choice first', () => {
  expect(agentModels('kimi')).toEqual([
    { value: '', label: 'Kimi Code’s default' },
    { value: 'k3', label: 'Kimi K3' },
    { value: 'k3-turbo', label: 'k3-turbo' },
  ]);
  expect([agentModels('codex'), agentModels('gone')]).toEqual([[], []]);
  expect(agentModels('').map(({ value }) => value)).toContain('opus');
  expect([agentModelLabel('kimi', 'old'), agentModelLabel('', 'opus')]).toEqual(['old', 'Opus']);
});

test('the model of a project is that of its tasks of Claude’s alone', () => {
  const model = (agent: string, own = '') =>
    modelOfTask({ agent, model: own } as beckon.Task, { model: 'opus' });
  expect([model(''), model('', 'haiku'), model('kimi'), model('kimi', 'k3')]).toEqual([
    'opus',
    'haiku',
    '',
    'k3',
  ]);
});
