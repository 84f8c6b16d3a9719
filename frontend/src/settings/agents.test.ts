import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { cellsOf, linesOf, nameFor, stateOf, type Line } from './agents';

const kimi: beckon.AgentKind = {
  name: 'kimi',
  label: 'Kimi Code',
  sign: 'Ki',
  found: true,
  program: 'kimi acp',
  signIn: 'kimi login',
  install: '',
  asks: 'tool',
  plans: false,
  resumes: true,
  cost: 'tokens',
  own: false,
  models: [],
};
const about = {
  claudeVersion: '2.1.197',
  claudeTrouble: '',
  agents: [kimi],
} as unknown as beckon.About;
const line = (change: Partial<Line> = {}): Line => ({
  ...kimi,
  state: 'Not found',
  trouble: '',
  ...change,
});
const trial = (change: Partial<beckon.AgentTrial>): beckon.AgentTrial => ({
  agent: 'kimi',
  at: 0,
  steps: [],
  signIn: false,
  tokens: 0,
  cost: 0,
  ...change,
});

test('Claude Code stands first, and says what is wrong with it', () => {
  expect(linesOf(about).map((one) => [one.name, one.found])).toEqual([
    ['claude', true],
    ['kimi', true],
  ]);
  const [claude] = linesOf({ ...about, claudeTrouble: 'missing', claudeVersion: '' });
  expect(claude!.found).toBe(false);
  expect([claude!.state, claude!.trouble]).toEqual([
    'Not found',
    'Install it, then sign in once in a terminal. Beckon uses the same login.',
  ]);
});

test('the state of an agent is what was seen of it', () => {
  const words = (one: Line, its?: beckon.AgentTrial, tries = false) =>
    stateOf(one, its, tries, 0).words;
  expect(words(line({ found: false }))).toBe('Not found');
  expect(words(line())).toBe('Found');
  expect(words(line(), trial({}))).toBe('Works');
  expect(words(line(), trial({ why: { code: '', said: 'No.' } }))).toBe('Try failed');
  expect(words(line(), trial({ signIn: true, why: { code: '' } }))).toBe('Signed out');
  expect(words(line(), trial({}), true)).toBe('Trying…');
});

test('what an agent can do is said column by column', () => {
  expect(cellsOf(line()).map(({ is, value }) => [is, value])).toEqual([
    ['part', 'our tool'],
    ['yes', 'yes'],
    ['no', 'no'],
    ['yes', 'yes'],
    ['part', 'tokens'],
  ]);
});

test('an agent of one’s own has a name that rows can keep', () => {
  expect(nameFor('My Agent (new)', [])).toBe('own-my-agent-new');
  expect(nameFor('My Agent', ['own-my-agent', 'own-my-agent-2'])).toBe('own-my-agent-3');
  expect(nameFor('代理', [])).toBe('own-agent');
  expect(nameFor('x'.repeat(80), [])).toMatch(/^[a-z][a-z0-9-]{0,39}$/);
});
