import { afterEach, expect, test, vi } from 'vitest';
import { api, type beckon, BeckonError } from '../bridge';
import '../i18n/screens';
import { sheets } from '../state';
import { toasts } from '../ui/toasts.svelte';
import { mergeTask } from './merging';

const task = { id: 't', key: 'KES-1' } as beckon.Task;
const steers = (part: string) =>
  new BeckonError('conflict', 'steers', 'steering', { key: 'KES-1', files: 'x', part });

afterEach(() => {
  vi.restoreAllMocks();
  sheets.close();
});

test('one asks about files that steer something of the own repository alone', async () => {
  const merge = vi.spyOn(api, 'mergeAs').mockRejectedValueOnce(steers('t/proto'));
  expect(await mergeTask(task, 'main', { way: 'merge', message: '' })).toBe(false);
  expect(sheets.current).toBeUndefined();
  expect(toasts.current?.text).toContain('Merge from Changes');
  merge.mockRejectedValueOnce(steers('t'));
  await mergeTask(task, 'main', { way: 'merge', message: '' });
  expect(sheets.current?.kind).toBe('mergeAnyway');
});
