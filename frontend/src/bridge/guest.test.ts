import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BeckonError } from './errors';
import { cameBack, changeOverAfter, enterDemo, inDemo, keepCalls, keptCalls } from './demo';
import { guestTransport } from './guest';
import type { Transport } from './transport';
import type { ShellEvent } from './types';

const reload = vi.fn();
let calls: [string, unknown[]][];
let answer: (method: string, args: unknown[]) => unknown;

const host: Transport = {
  client: 'host',
  window: false,
  call: async (method, args) => {
    calls.push([method, args]);
    return answer(method, args);
  },
  listen: () => {},
  retry: () => {},
  setTitle: () => {},
};

beforeEach(() => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  };
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('location', { pathname: '/', search: '', reload });
  vi.stubGlobal('history', { replaceState: () => {} });
  reload.mockClear();
  calls = [];
});
afterEach(() => vi.unstubAllGlobals());

test('a call goes to the demo, and what it answers or refuses comes back as it is', async () => {
  answer = (_, args) =>
    args[0] === 'Runs'
      ? { ok: true, body: '[{"id":"r"}]' }
      : { ok: false, body: '{"code":"invalid","message":"no","problem":"noTitle"}' };
  const guest = guestTransport(host);
  await expect(guest.call('Runs', ['t'])).resolves.toEqual([{ id: 'r' }]);
  await expect(guest.call('CreateTask', [{}])).rejects.toMatchObject({
    code: 'invalid',
    problem: 'noTitle',
  });
  expect(calls).toEqual([
    ['CallDemo', ['Runs', '["t"]']],
    ['CallDemo', ['CreateTask', '[{}]']],
  ]);
});

test('what only the window can do is not asked of the demo', async () => {
  answer = () => null;
  await guestTransport(host).call('OpenURL', ['https://claude.com']);
  expect(calls).toEqual([['OpenURL', ['https://claude.com']]]);
});

test('a demo that has ended sends the page back, which learns why, once', async () => {
  enterDemo();
  expect(inDemo()).toBe(true);
  answer = () => {
    throw new BeckonError('unavailable', 'the demo has ended', 'demoEnded');
  };
  await expect(guestTransport(host).call('Runs', ['t'])).rejects.toMatchObject({
    problem: 'demoEnded',
  });
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
  expect(inDemo()).toBe(false);
  expect(cameBack()).toBe('ended');
  expect(cameBack()).toBeUndefined();
});

test('a page that leaves comes back for what it left for, though its demo ends before it', async () => {
  enterDemo();
  reload.mockClear();
  const guest = guestTransport(host);
  answer = async (method) => {
    if (method === 'LeaveDemo') return guest.call('Runs', ['t']).catch(() => null);
    throw new BeckonError('unavailable', 'the demo has ended', 'demoEnded');
  };
  await guest.leaveDemo?.('add');
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(cameBack()).toBe('add');
});

test('a page changes over once nothing of it is under way', async () => {
  let over = () => {};
  changeOverAfter(() => new Promise((resolve) => (over = resolve)));
  enterDemo();
  await Promise.resolve().then(() => {});
  expect(inDemo()).toBe(true);
  expect(reload).not.toHaveBeenCalled();
  over();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  changeOverAfter(() => Promise.resolve());
});

test('a page that waits in vain changes over all the same', async () => {
  changeOverAfter(() => new Promise(() => {}));
  vi.useFakeTimers();
  enterDemo();
  await vi.advanceTimersByTimeAsync(30_000);
  vi.useRealTimers();
  expect(reload).toHaveBeenCalledTimes(1);
  changeOverAfter(() => Promise.resolve());
});

test('frames come in their order, and those after a failure begin with an opening', async () => {
  const told: string[] = [];
  const script = [
    () => '[]',
    () => '[{"seq":1},{"seq":2}]',
    () => Promise.reject(new BeckonError('unreachable', '')),
    () => '[]',
    () => new Promise(() => {}),
  ];
  answer = () => script.shift()!();
  vi.useFakeTimers();
  guestTransport(host).listen({
    frame: ({ seq }) => told.push(String(seq)),
    opened: () => told.push('opened'),
    closed: () => told.push('closed'),
  });
  await vi.advanceTimersByTimeAsync(2000);
  vi.useRealTimers();
  expect(told).toEqual(['opened', '1', '2', 'closed', 'opened']);
});

test('a page that leaves says which one it is, and what the desktop asked meanwhile is kept for it', async () => {
  enterDemo();
  answer = () => null;
  const guest = guestTransport(host);
  const asked = [
    {
      kind: 'show' as ShellEvent['kind'],
      route: '#/task/SAM-1',
      paths: [],
      keys: [],
      x: 0,
      y: 0,
      agents: 0,
      text: '',
    },
  ];
  keepCalls(asked);
  expect(keptCalls()).toEqual([]); // the demo knows no SAM-1
  await guest.leaveDemo?.('called');
  expect(calls).toEqual([['LeaveDemo', [guest.client]]]);
  expect(cameBack()).toBe('called');
  expect(keptCalls()).toEqual(asked);
  expect(keptCalls()).toEqual([]);
});
