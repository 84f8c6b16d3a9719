// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';

const at = vi.hoisted(() => ({
  events: [] as unknown[],
  kept: [] as unknown[],
  left: [] as string[],
  inDemo: true,
  knock: () => {},
  newTask: 0,
}));

vi.mock('../bridge', async (original) => ({
  ...(await original<object>()),
  api: { shellEvents: async () => at.events.splice(0) },
  transport: () => ({
    desktop: { knocked: (knock: () => void) => (at.knock = knock), tell: () => {} },
    ...(at.inDemo && { leaveDemo: async (why: string) => void at.left.push(why) }),
  }),
  keepCalls: (events: unknown[]) => void at.kept.push(...events),
  keptCalls: () => (at.inDemo ? [] : at.kept.splice(0)),
}));
vi.mock('../state', async (original) => ({
  ...(await original<object>()),
  sheets: { newTask: () => at.newTask++ },
}));

const { desk } = await import('./desk.svelte');
const event = (kind: string, route = '') =>
  ({
    kind,
    route,
    agents: 1,
    keys: [],
    paths: [],
    x: 0,
    y: 0,
    text: '',
  }) as unknown as beckon.ShellEvent;

beforeEach(() => {
  Object.assign(at, { events: [], kept: [], left: [], inDemo: true, newTask: 0 });
  location.hash = '#/';
});

test('a notification of a real task, pressed while the demo is shown, leaves the demo and leads to the task', async () => {
  at.events = [event('quit'), event('show', '#/task/SAM-7'), event('newTask')];
  await desk.begin();
  expect(desk.quitting?.agents, 'what is about the program is heard in the demo').toBe(1);
  expect(location.hash, 'the demo has no such task').toBe('#/');
  expect(at.left).toEqual(['called']);

  at.inDemo = false;
  await desk.begin();
  expect(location.hash).toBe('#/task/SAM-7');
  expect(at.newTask, 'nothing that was asked is lost').toBe(1);
  expect(at.kept).toEqual([]);
});

test('outside the demo a notification leads where it says', async () => {
  at.inDemo = false;
  at.events = [event('show', '#/task/SAM-8')];
  await desk.begin();
  expect(location.hash).toBe('#/task/SAM-8');
  expect(at.left).toEqual([]);
});

test('what is asked between the start of the page and its first ear for it is done', async () => {
  at.inDemo = false;
  await desk.begin();
  at.events = [event('show', '#/task/SAM-9')];
  const stop = desk.follow();
  await vi.waitFor(() => expect(location.hash).toBe('#/task/SAM-9'));
  stop();
});
