import { expect, test } from 'vitest';
import { href, parse, type Route } from './router.svelte';

test('every address leads back to where it came from', () => {
  const routes: Route[] = [
    { page: 'board', project: '' },
    { page: 'board', project: 'KES' },
    { page: 'task', key: 'KES-47', tab: 'session' },
    { page: 'task', key: 'KES-47', tab: 'changes' },
    { page: 'inbox', question: '' },
    { page: 'inbox', question: 'q/1 ä' },
    { page: 'settings', project: 'KES' },
  ];
  for (const route of routes) expect(parse(href(route))).toEqual(route);
});

test('a broken or unknown address shows the board', () => {
  for (const hash of ['', '#', '#/', '#/nowhere', '#/%E0%A4%A']) expect(parse(hash)).toEqual({ page: 'board', project: '' });
});

test('an unknown tab of a task shows its session', () => {
  expect(parse('#/task/KES-47/nothing')).toEqual({ page: 'task', key: 'KES-47', tab: 'session' });
});
