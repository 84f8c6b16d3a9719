import { afterEach, expect, test, vi } from 'vitest';
import { api, type beckon, BeckonError } from '../../bridge';
import { sheets } from '../../state';
import { MergePlan } from './plan.svelte';
import type { ReadPart } from './read';

const part = (id: string, more: Partial<ReadPart> = {}) =>
  ({ id, name: id, base: 'main', way: 'squash', state: 'clean', ...more }) as ReadPart;
const task = { id: 't', key: 'KES-1' } as beckon.Task;
const planOf = (...parts: ReadPart[]) =>
  new MergePlan(
    () => task,
    () => parts,
    () => Promise.resolve(),
  );
const sent = (merge: { mock: { calls: unknown[][] } }, nth = 0) =>
  (merge.mock.calls[nth]![1] as beckon.PartOrder[]).map(({ id, steering }) => [id, steering]);

afterEach(() => {
  vi.restoreAllMocks();
  sheets.close();
});

test('what is left out is not merged, and what is in the way of it is in the way of nothing', async () => {
  const merge = vi.spyOn(api, 'mergeTogether').mockResolvedValue(task);
  const plan = planOf(part('a'), part('b', { state: 'conflict' }), part('c'));
  expect(plan.ready).toBe(false);
  expect(await plan.merge()).toBe(false);
  plan.toggle(part('b'));
  plan.move(part('c'), -1);
  plan.move(part('c'), -1);
  expect(plan.ready).toBe(true);
  expect(await plan.merge()).toBe(true);
  expect(sent(merge)).toEqual([
    ['c', false],
    ['a', false],
  ]);
});

test('files that steer something are agreed to for their repository alone', async () => {
  const steers = (id: string) =>
    new BeckonError('conflict', 'steers', 'steering', { files: 'x', part: id });
  const merge = vi
    .spyOn(api, 'mergeTogether')
    .mockRejectedValueOnce(steers('b'))
    .mockRejectedValueOnce(steers('a'))
    .mockResolvedValue(task);
  const plan = planOf(part('a'), part('b', { base: 'next' }), part('c'));
  await plan.merge();
  for (let n = 1; n < 3; n++) {
    expect(sheets.current?.kind).toBe('mergeAnyway');
    if (sheets.current?.kind !== 'mergeAnyway') break;
    expect(sheets.current, 'it says where').toMatchObject(
      n === 1 ? { repository: 'b', base: 'next' } : { repository: 'a', base: 'main' },
    );
    sheets.current.merge();
    await vi.waitFor(() => expect(merge).toHaveBeenCalledTimes(n + 1));
    await vi.waitFor(() => expect(plan.busy).toBe(false));
  }
  expect(sent(merge, 1)).toEqual([
    ['a', false],
    ['b', true],
    ['c', false],
  ]);
  expect(sent(merge, 2)).toEqual([
    ['a', true],
    ['b', true],
    ['c', false],
  ]);
});

test('a merge that was put back says so in the plan', async () => {
  vi.spyOn(api, 'mergeTogether').mockRejectedValue(new BeckonError('conflict', 'a moved'));
  const plan = planOf(part('a'));
  expect(await plan.merge()).toBe(false);
  expect(plan.open).toBe(true);
  expect(plan.failed).toContain('moved');
});

test('a merge that takes long says how far it is', async () => {
  vi.useFakeTimers();
  let end = (_: beckon.Task) => {};
  vi.spyOn(api, 'mergeTogether').mockReturnValue(new Promise((done) => (end = done)));
  vi.spyOn(api, 'parts').mockResolvedValue([part('a', { state: 'merged' }), part('b')]);
  const plan = planOf(part('a'), part('b'));
  const merging = plan.merge();
  await vi.advanceTimersByTimeAsync(600);
  expect([...plan.landed]).toEqual(['a']);
  expect(plan.says).toBe('1 of 2 merged');
  end(task);
  await merging;
  expect([plan.busy, plan.landed.size]).toEqual([false, 0]);
  vi.useRealTimers();
});

test('what cannot be read is not merged', async () => {
  const merge = vi.spyOn(api, 'mergeTogether').mockResolvedValue(task);
  const plan = planOf(part('a'), part('b', { failed: 'broken' }));
  expect(await plan.merge()).toBe(false);
  expect(merge).not.toHaveBeenCalled();
});

test('a base shows what hides in its name', () => {
  const plan = planOf(part('a', { base: 'ma\u202ein' }));
  expect(plan.base).toBe('ma⟨U+202E⟩in');
  expect(plan.says).toContain('ma⟨U+202E⟩in');
});

test('of two merges, one after the other, only the last is watched', async () => {
  vi.useFakeTimers();
  vi.spyOn(api, 'mergeTogether').mockRejectedValueOnce(new BeckonError('conflict', 'moved'));
  const parts = vi.spyOn(api, 'parts').mockResolvedValue([]);
  const plan = planOf(part('a'));
  await plan.merge();
  vi.spyOn(api, 'mergeTogether').mockReturnValue(new Promise(() => {}));
  void plan.merge();
  await vi.advanceTimersByTimeAsync(600);
  expect(parts).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
