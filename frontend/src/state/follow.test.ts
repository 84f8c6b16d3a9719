import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api, BeckonError, type beckon, type Listener, type Transport } from '../bridge';
import { follow } from './follow';
import { Store } from './store.svelte';

const whole = (title: string): beckon.Frame => ({
  seq: 1,
  whole: true,
  lost: false,
  events: [{ task: { id: 'a', title } as beckon.Task }],
});

function page() {
  const store = new Store();
  let listener!: Listener;
  const transport: Transport = {
    client: 'testpage',
    window: false,
    call: vi.fn(),
    listen: (l) => void (listener = l),
    retry() {},
    setTitle() {},
  };
  follow(transport, store);
  return { store, listener };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(api, 'about').mockResolvedValue({ version: '1' } as beckon.About);
  vi.spyOn(api, 'watch').mockResolvedValue();
});
afterEach(() => void vi.useRealTimers());

test('the board fills as soon as the connection stands', async () => {
  vi.spyOn(api, 'attach').mockResolvedValue(whole('hello'));
  const { store, listener } = page();
  listener.opened();
  await vi.advanceTimersByTimeAsync(0);
  expect([store.ready, store.connection, store.tasks.get('a')?.title]).toEqual([
    true,
    'open',
    'hello',
  ]);
});

test('a page that fell behind asks for the whole state', async () => {
  const attach = vi.spyOn(api, 'attach').mockResolvedValue(whole('caught up'));
  const { store, listener } = page();
  listener.frame({ seq: 9, whole: false, lost: true, events: [] });
  await vi.advanceTimersByTimeAsync(0);
  expect(attach).toHaveBeenCalledWith('testpage');
  expect(store.tasks.get('a')?.title).toBe('caught up');
});

test('cards stay in sight while Beckon is away, and are brought up to date when it is back', async () => {
  const attach = vi.spyOn(api, 'attach').mockResolvedValueOnce({ ...whole('before'), seq: 500 });
  const { store, listener } = page();
  listener.opened();
  await vi.advanceTimersByTimeAsync(0);
  listener.closed();
  expect([store.connection, store.tasks.get('a')?.title]).toEqual(['lost', 'before']);
  attach.mockResolvedValueOnce(whole('after'));
  listener.opened();
  await vi.advanceTimersByTimeAsync(0);
  expect([store.connection, store.tasks.get('a')?.title]).toEqual(['open', 'after']);
});

test('a state in parts is whole with its last one, and only then is gone what none of them names', async () => {
  const first: beckon.Frame = {
    seq: 3,
    whole: true,
    lost: false,
    more: '0',
    events: [{ task: { id: 'a', title: 'first' } as beckon.Task }],
  };
  const part = (seq: number, id: string, more?: string): beckon.Frame => ({
    seq,
    whole: false,
    lost: false,
    more,
    events: [{ task: { id, title: 'later' } as beckon.Task }],
  });
  vi.spyOn(api, 'attach').mockResolvedValue(first);
  let last!: (frame: beckon.Frame) => void;
  const more = vi
    .spyOn(api, 'attachMore')
    .mockResolvedValueOnce(part(4, 'b', 'b'))
    .mockReturnValueOnce(new Promise((resolve) => (last = resolve)));
  const { store, listener } = page();
  store.apply({
    seq: 1,
    whole: false,
    lost: false,
    events: [
      { task: { id: 'old', title: 'old' } as beckon.Task },
      { task: { id: 'c', title: 'old' } as beckon.Task },
    ],
  });
  listener.opened();
  await vi.advanceTimersByTimeAsync(0);
  expect([store.ready, store.whole, store.tasks.keys()]).toEqual([
    true,
    false,
    ['old', 'c', 'a', 'b'],
  ]);
  listener.frame({
    seq: 5,
    whole: false,
    lost: false,
    events: [{ task: { id: 'new', title: 'new' } as beckon.Task }],
  });
  last(part(6, 'c'));
  await vi.advanceTimersByTimeAsync(0);
  expect([store.whole, store.tasks.keys().sort()]).toEqual([true, ['a', 'b', 'c', 'new']]);
  expect(more.mock.calls).toEqual([['0'], ['b']]);
});

test('parts of a state that is asked for again are not waited for', async () => {
  let slow!: (frame: beckon.Frame) => void;
  vi.spyOn(api, 'attach')
    .mockResolvedValueOnce({ ...whole('before'), more: '0' })
    .mockResolvedValueOnce({ ...whole('after'), seq: 3 });
  vi.spyOn(api, 'attachMore').mockReturnValue(new Promise((resolve) => (slow = resolve)));
  const { store, listener } = page();
  listener.opened();
  await vi.advanceTimersByTimeAsync(0);
  listener.frame({ seq: 2, whole: false, lost: true, events: [] });
  await vi.advanceTimersByTimeAsync(0);
  slow({
    seq: 4,
    whole: false,
    lost: false,
    events: [{ task: { id: 'late', title: 'late' } as beckon.Task }],
  });
  await vi.advanceTimersByTimeAsync(0);
  expect([store.whole, store.tasks.keys()]).toEqual([true, ['a']]);
});

test('an attach that fails is tried again', async () => {
  vi.spyOn(api, 'attach')
    .mockRejectedValueOnce(new BeckonError('unreachable', 'away'))
    .mockResolvedValue(whole('hello'));
  const { store, listener } = page();
  listener.opened();
  await vi.advanceTimersByTimeAsync(0);
  expect(store.connection).toBe('lost');
  await vi.advanceTimersByTimeAsync(1500);
  expect(store.connection).toBe('open');
});

test('a page whose cookie is not known any more says so', async () => {
  vi.spyOn(api, 'about').mockRejectedValue(new BeckonError('unauthorized', 'who are you'));
  const { store, listener } = page();
  listener.closed();
  await vi.advanceTimersByTimeAsync(0);
  expect(store.connection).toBe('refused');
});
