import { beforeEach, expect, test, vi } from 'vitest';
import { api, type beckon } from '../bridge';
import { lately } from '../state';
import { chosen, choices, takeBack } from './back.svelte';

vi.mock('../bridge', async (original) => {
  const all = await original<typeof import('../bridge')>();
  return { ...all, api: { ...all.api, takeChoiceBack: vi.fn(() => Promise.resolve({})) } };
});

const task = { id: 't', key: 'KES-1', agent: '' } as beckon.Task;
const settled = () => new Promise((done) => setTimeout(done));

beforeEach(() => vi.mocked(api.takeChoiceBack).mockClear());

test('a fresh choice is taken back at once, and only that one', async () => {
  chosen(task, 'c1');
  lately.undo();
  await settled();
  expect(api.takeChoiceBack).toHaveBeenCalledExactlyOnceWith('t', 'c1');
  lately.undo();
  await settled();
  expect(api.takeChoiceBack).toHaveBeenCalledTimes(1);
});

test('an old one is named first, and taken back at the second time', async () => {
  chosen(task, 'c2', Date.now() - 61_000);
  lately.undo();
  await settled();
  expect(api.takeChoiceBack).not.toHaveBeenCalled();
  lately.undo();
  await settled();
  expect(api.takeChoiceBack).toHaveBeenCalledExactlyOnceWith('t', 'c2');
});

test('what was taken back otherwise is no key away any more', async () => {
  const before = choices.changes;
  chosen(task, 'c3');
  await takeBack(task, 'c3');
  expect(choices.changes).toBe(before + 2);
  lately.undo();
  await settled();
  expect(api.takeChoiceBack).toHaveBeenCalledTimes(1);
});
