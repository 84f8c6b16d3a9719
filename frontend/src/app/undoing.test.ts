// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '../bridge';
import '../i18n/desk';
import { changing } from '../question/changing.svelte';
import { lately } from '../state';
import { undoLast } from './undoing';

const open = vi.fn();
const undone = () => vi.spyOn(api, 'undo').mockResolvedValue({ step: { kind: 'archive', at: 5, keys: ['KES-1'], taskIds: ['1'] }, refused: [] });

beforeEach(() => {
  vi.restoreAllMocks();
  open.mockReset();
  vi.spyOn(api, 'undoNext').mockResolvedValue({ kind: 'archive', at: 5, keys: ['KES-1'], taskIds: ['1'] });
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

test('without an answer cards are taken back, without asking what is next', async () => {
  const undo = undone();
  vi.spyOn(changing, 'last').mockReturnValue(undefined);
  await undoLast();
  expect(undo).toHaveBeenCalledWith('');
  expect(api.undoNext).not.toHaveBeenCalled();
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
