import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { isSecret, printCommand, wanted } from './ssh';

const ask = (kind: beckon.ExecutorAsk['kind'], more: Partial<beckon.ExecutorAsk> = {}) =>
  ({ kind, host: '', file: '', ...more }) as beckon.ExecutorAsk;

test('a list says what a secret is for in a word', () => {
  expect(wanted(ask('passphrase', { file: '/home/mira/.ssh/id_\u202eed25519' }))).toBe(
    'id_⟨U+202E⟩ed25519',
  );
  expect(wanted(ask('password', { host: 'mira@farm' }))).toBe('mira@farm');
  expect(wanted(ask('hostKey', { host: 'farm' }))).toBe('');
});

test('the command to compare a key by is one that the host has', () => {
  expect(printCommand('ED25519')).toBe('ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub');
  expect(printCommand('; rm -rf ~')).toBe('');
});

test('what a server wants to know in its own words is hidden, too', () => {
  expect(
    (['hostKey', 'passphrase', 'password', 'confirm', 'touch', 'words'] as const).filter((kind) =>
      isSecret(ask(kind)),
    ),
  ).toEqual(['passphrase', 'password', 'words']);
});
