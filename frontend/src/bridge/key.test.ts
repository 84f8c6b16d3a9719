// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { onNewKey, takeKey, theKey } from './key';

const right = 'r'.repeat(43);
const wrong = 'w'.repeat(43);

beforeEach(() => localStorage.clear());

function arriveAt(hash: string): Promise<void> {
  history.replaceState(null, '', `/${hash}`);
  return takeKey((key) => Promise.resolve(key === right));
}

test('the key of the link is kept for reloads and other tabs, and leaves the address', async () => {
  await arriveAt(`#key=${right}`);
  expect([theKey(), localStorage.getItem('beckon-key'), location.href]).toEqual([
    right,
    right,
    `${location.origin}/`,
  ]);
  await arriveAt('#/inbox');
  expect([theKey(), location.hash]).toEqual([right, '#/inbox']);
});

test('an address with a wrong key, as an agent may write, signs nobody out', async () => {
  await arriveAt(`#key=${right}`);
  for (const hash of [`#key=${wrong}`, '#key=', '#key=short', `#key=${right}%0d`]) {
    await arriveAt(hash);
    expect([hash, theKey(), location.hash]).toEqual([hash, right, '']);
  }
});

test('what is stored under its name and is no key is not sent', () => {
  localStorage.setItem('beckon-key', 'a, b');
  expect(theKey()).toBe('');
});

test('a link that was opened in another tab is noticed', () => {
  const call = vi.fn();
  onNewKey(call);
  dispatchEvent(new StorageEvent('storage', { key: 'other', newValue: right }));
  dispatchEvent(new StorageEvent('storage', { key: 'beckon-key', newValue: null }));
  expect(call).not.toHaveBeenCalled();
  dispatchEvent(new StorageEvent('storage', { key: 'beckon-key', newValue: right }));
  expect(call).toHaveBeenCalledOnce();
});
