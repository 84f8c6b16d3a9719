import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '../bridge';
import '../i18n/desk';
import { toasts } from '../ui/toasts.svelte';
import { follows, redo, undo, undoOf } from './undoing';

const why = {
  code: 'conflict',
  message: 'its labels were changed',
  problem: 'changedSince',
  data: { key: 'KES-4' },
};

function taken(
  kind: Awaited<ReturnType<typeof api.undo>>['step']['kind'],
  keys: string[],
  refused: { key: string; why: typeof why }[] = [],
) {
  return vi
    .spyOn(api, 'undo')
    .mockResolvedValue({ step: { kind, at: 1, keys, taskIds: keys }, refused } as never);
}

beforeEach(() => {
  vi.restoreAllMocks();
  toasts.dismiss();
});

test('what was taken back is said, of one card and of many', async () => {
  taken('archive', ['KES-4']);
  await undo();
  expect(toasts.current?.text).toBe('Undone: archived KES-4');
  taken('label', ['KES-4', 'KES-5']);
  await undo();
  expect(toasts.current).toMatchObject({ text: 'Undone: labelled 2 tasks', tone: 'ok' });
});

test('what was taken back is offered to be done again, and that to be taken back', async () => {
  taken('archive', ['KES-4']);
  await undo();
  const again = vi.spyOn(api, 'redo').mockResolvedValue({
    step: { kind: 'archive', at: 1, keys: ['KES-4'], taskIds: ['4'] },
    refused: [],
  });
  expect(toasts.current?.action).toMatchObject({ label: 'Redo', keys: 'Mod Shift Z' });
  await redo();
  expect(toasts.current).toMatchObject({
    text: 'Redone: archived KES-4',
    action: { label: 'Undo' },
  });
  again.mockResolvedValue({
    step: { kind: '', at: 0, keys: [], taskIds: [] },
    refused: [],
  } as never);
  await redo();
  expect(toasts.current?.text).toBe('Nothing to redo');
});

test('what stays as it is says why', async () => {
  taken('label', [], [{ key: 'KES-4', why }]);
  await undo();
  expect(toasts.current).toMatchObject({
    text: 'KES-4 has changed since, so it stays as it is.',
    tone: 'bad',
  });
  taken('label', ['KES-5', 'KES-6'], [{ key: 'KES-4', why }]);
  await undo();
  expect(toasts.current?.text).toBe(
    'Undone: labelled 2 tasks. 1 of 3 unchanged (KES-4). KES-4 has changed since, so it stays as it is.',
  );
});

test('nothing to take back is said, too', async () => {
  taken('', []);
  await undo();
  expect(toasts.current?.text).toBe('Nothing to undo');
});

test('the offer of a toast is about its own card, whatever was changed since', async () => {
  const call = taken('archive', ['KES-4']);
  undoOf('task-4').run();
  await vi.waitFor(() => expect(call).toHaveBeenCalledWith('task-4'));
});

test('a change of many cards that is under way is taken back whole, once it is made', async () => {
  let made = () => {};
  void follows(new Promise<void>((resolve) => (made = resolve)));
  const call = taken('archive', ['KES-4', 'KES-5']);
  const undone = undo();
  await Promise.resolve();
  expect(call).not.toHaveBeenCalled();
  made();
  await undone;
  expect(call).toHaveBeenCalledOnce();
});
