import { expect, test } from 'vitest';
import { commandThere } from './elsewhere';

test('a shell where the agent works has a command, where one is sure to lead there', () => {
  const at = { id: 'e1', host: 'me@build-01', engine: 'podman' } as const;
  const task = { id: 't1' };
  expect(commandThere({ ...at, kind: 'ssh' }, task)).toBe('ssh me@build-01');
  expect(commandThere({ ...at, kind: 'container' }, task)).toBe('podman exec -it beckon-e1-t1 sh');
  expect(commandThere({ ...at, kind: 'slurm' }, task)).toBe('');
  expect(commandThere(undefined, task)).toBe('');
});
