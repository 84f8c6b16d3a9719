// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '../bridge';
import '../i18n/desk';
import { changing } from '../question/changing.svelte';
import { lately } from '../state';
import { toasts } from '../ui/toasts.svelte';
import { undoLast } from './undoing';

const open = vi.fn();
const undone = () =>
  vi.spyOn(api, 'undo').mockResolvedValue({
    step: { kind: 'archive', at: 5, keys: ['KES-1'], taskIds: ['1'] },
    refused: [],
  });

beforeEach(() => {
  vi.restoreAllMocks();
  vi.spyOn(Date, 'now').mockReturnValue(10);
  open.mockReset();
  vi.spyOn(api, 'undoNext').mockResolvedValue({
    kind: 'archive',
    at: 5,
    keys: ['KES-1'],
    taskIds: ['1'],
  });
});

test('of an answer and a change of cards the later one is taken back', async () => {
  const undo = undone();
  const last = vi.spyOn(changing, 'last').mockReturnValue({ at: 4, open });
  await undoLast();
  expect([undo.mock.calls.length, open.mock.calls.length]).toEqual([1, 0]);
  last.mockReturnValue({ at: 6, open });
  await undoLast();
  expect([undo.mock.calls.length, open.mock.calls.length]).toEqual([1, 1]);
});

test('without an answer cards are taken back at once', async () => {
  const undo = undone();
  vi.spyOn(changing, 'last').mockReturnValue(undefined);
  await undoLast();
  expect(undo).toHaveBeenCalledWith('');
});

test('an old change is named first, and taken back by the same key while its name is shown', async () => {
  const undo = undone();
  vi.spyOn(changing, 'last').mockReturnValue(undefined);
  vi.spyOn(Date, 'now').mockReturnValue(20 * 60_000);
  await undoLast();
  expect([undo.mock.calls.length, toasts.current?.text]).toEqual([
    0,
    'Undo “archived KES-1”, 19 min. ago?',
  ]);
  toasts.dismiss();
  await undoLast();
  expect(undo).not.toHaveBeenCalled();
  await undoLast();
  expect(undo).toHaveBeenCalledTimes(1);
});

test('what a screen did by itself is taken back in its turn, once', async () => {
  const undo = undone();
  const back = vi.fn();
  vi.spyOn(changing, 'last').mockReturnValue(undefined);
  lately.did(back);
  await undoLast();
  expect([back.mock.calls.length, undo.mock.calls.length]).toEqual([1, 0]);
  await undoLast();
  expect([back.mock.calls.length, undo.mock.calls.length]).toEqual([1, 1]);
});
