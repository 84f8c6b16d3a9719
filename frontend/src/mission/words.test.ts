import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { commandName, doing, roughly } from './words';

const run = (verb: beckon.Activity['verb'], target = '', phase: beckon.Phase = 'working') =>
  ({ agent: '', phase, activity: { verb, target, since: 1000 } }) as beckon.Run;

test('a command is known by its first words, not by its folder or its arguments', () => {
  expect(commandName('go test ./...')).toBe('go test');
  expect(commandName('CI=1 /usr/local/bin/pnpm   prisma migrate')).toBe('pnpm prisma');
  expect(commandName('ls')).toBe('ls');
  expect(commandName('x'.repeat(500))).toHaveLength(28);
});

test('an agent says what it is at, and of a long command for how long', () => {
  expect(doing(run('editing', 'a.go'), 2000)).toBe('editing');
  expect(doing(run('executing', 'go test ./...'), 2000)).toBe('go test');
  expect(doing(run('executing', 'go test ./...'), 39_000)).toBe('go test, 38 s');
  expect(doing(run(''), 2000)).toBe('waiting for Claude');
  expect(doing({ ...run(''), agent: 'codex' }, 2000)).toBe('waiting for codex');
  expect(doing(run('thinking', '', 'starting'), 2000)).toBe('starting');
  expect(doing(run('', '', 'idle'), 2000)).toBe('your turn');
});

test('a chip counts whole minutes, then hours', () => {
  expect([20_000, 31 * 60_000, 59.9 * 60_000, 130 * 60_000].map(roughly)).toEqual([
    '1 m',
    '31 m',
    '59 m',
    '2 h',
  ]);
});
