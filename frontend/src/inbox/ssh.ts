// What is said of what ssh asks.
import type { beckon } from '../bridge';
import { oneLine } from '../text/plain';

/** What a passphrase or password is for, as a list has room for it. */
export function wanted(ask: beckon.ExecutorAsk): string {
  if (ask.kind === 'passphrase') return oneLine(ask.file).split('/').at(-1)!;
  return ask.kind === 'password' ? oneLine(ask.host) : '';
}

const keyFiles: Record<string, string> = { ED25519: 'ed25519', ECDSA: 'ecdsa', RSA: 'rsa' };

/** What prints the fingerprint of a host's key on that host; empty where its file is not known. */
export function printCommand(key: string): string {
  const file = keyFiles[key];
  return file ? `ssh-keygen -lf /etc/ssh/ssh_host_${file}_key.pub` : '';
}

/** Whether an answer is words that nobody else may read. */
export function isSecret({ kind }: beckon.ExecutorAsk): boolean {
  return kind === 'passphrase' || kind === 'password' || kind === 'words';
}
