import { beforeEach, expect, test } from 'vitest';
import type { beckon } from '../bridge';
import {
  agentChoices,
  agentLabel,
  agentOf,
  agentOptions,
  agentSays,
  agentSign,
  otherAgents,
} from './agents';
import { store } from './store.svelte';

const codex = { name: 'codex', label: 'Codex', sign: 'Cx', found: false };
const kimi = { name: 'kimi', label: 'Kimi Code', sign: 'Ki', found: true };

beforeEach(() => {
  store.about = { agents: [codex, kimi] } as beckon.About;
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

test('signs are for those who have more than one', () => {
  expect(otherAgents()).toBe(true);
  store.about = { agents: [codex] } as beckon.About;
  expect(otherAgents()).toBe(false);
});

test('a new task has the agent that it names, or its project, or the settings', () => {
  const project = (agent: string) => ({ agent }) as beckon.Project;
  expect([agentOf('', project('')), agentOf('kimi', project('codex'))]).toEqual(['', 'kimi']);
  expect([agentOf('', project('codex')), agentOf('claude', project('codex'))]).toEqual([
    'codex',
    '',
  ]);
  store.settings = { ...store.settings, agent: 'kimi' };
  expect([agentOf('', project('')), agentOf('', project('claude')), agentOf('')]).toEqual([
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
