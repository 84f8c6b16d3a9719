import { expect, test } from 'vitest';
import { href, parse, type Route } from './router.svelte';

test('every address leads back to where it came from', () => {
  const routes: Route[] = [
    { page: 'board', project: '' },
    { page: 'board', project: 'KES' },
    { page: 'task', key: 'KES-47', tab: 'session' },
    { page: 'task', key: 'KES-47', tab: 'changes' },
    { page: 'task', key: 'KES-47', tab: 'session', at: { runId: 'r/1', pos: 12, part: 0 } },
    { page: 'task', key: 'KES-47', tab: 'session', at: { runId: 'r', pos: 12, part: 3 } },
    { page: 'inbox', question: '' },
    { page: 'inbox', question: 'q/1 ä' },
    { page: 'mission', key: '' },
    { page: 'mission', key: 'KES-47' },
    { page: 'settings', project: 'KES' },
    { page: 'settings', project: '', section: 'notifications' },
    { page: 'settings', project: '', section: 'keys' },
  ];
  for (const route of routes) expect(parse(href(route))).toEqual(route);
});

test('a broken or unknown address shows the board', () => {
  for (const hash of ['', '#', '#/', '#/nowhere', '#/%E0%A4%A']) expect(parse(hash)).toEqual({ page: 'board', project: '' });
});

test('a place that is none shows the session at its end', () => {
  for (const hash of ['#/task/A-1/session/r', '#/task/A-1/session/r/x', '#/task/A-1/session//1', '#/task/A-1/changes/r/1', '#/task/A-1/session/r/99999999999999999999']) expect(parse(hash)).not.toHaveProperty('at');
});

test('an unknown tab of a task shows its session', () => {
  expect(parse('#/task/KES-47/nothing')).toEqual({ page: 'task', key: 'KES-47', tab: 'session' });
});
