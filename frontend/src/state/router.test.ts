import { expect, test } from 'vitest';
import { href, parse, type Route, Trail } from './router.svelte';

test('every address leads back to where it came from', () => {
  const routes: Route[] = [
    { page: 'board', project: '' },
    { page: 'board', project: 'KES' },
    { page: 'board', project: '', view: 'a/1' },
    { page: 'task', key: 'KES-47', tab: 'session' },
    { page: 'task', key: 'KES-47', tab: 'changes' },
    { page: 'task', key: 'KES-47', tab: 'changes', since: 'review' },
    { page: 'task', key: 'KES-47', tab: 'changes', since: 'turn-12' },
    { page: 'task', key: 'KES-47', tab: 'changes', since: 'commit-0a1b' },
    { page: 'task', key: 'KES-47', tab: 'session', at: { runId: 'r/1', pos: 12, part: 0 } },
    { page: 'task', key: 'KES-47', tab: 'session', at: { runId: 'r', pos: 12, part: 3 } },
    { page: 'inbox', question: '' },
    { page: 'inbox', question: 'q/1 ä' },
    { page: 'mission', key: '' },
    { page: 'mission', key: 'KES-47' },
    { page: 'decisions' },
    { page: 'decisions', id: '01H' },
    { page: 'decisions', task: 'KES-47' },
    { page: 'archive', find: '' },
    { page: 'archive', find: 'KES-' },
    { page: 'settings', project: 'KES' },
    { page: 'settings', project: '', section: 'notifications' },
    { page: 'settings', project: '', section: 'keys' },
    { page: 'settings', project: '', section: 'elsewhere' },
    { page: 'settings', project: '', section: 'about' },
  ];
  for (const route of routes) expect(parse(href(route))).toEqual(route);
});

test('a broken or unknown address shows the board', () => {
  for (const hash of ['', '#', '#/', '#/nowhere', '#/%E0%A4%A'])
    expect(parse(hash)).toEqual({ page: 'board', project: '' });
});

test('a place that is none shows the session at its end', () => {
  for (const hash of [
    '#/task/A-1/session/r',
    '#/task/A-1/session/r/x',
    '#/task/A-1/session//1',
    '#/task/A-1/changes/r/1',
    '#/task/A-1/session/r/99999999999999999999',
  ])
    expect(parse(hash)).not.toHaveProperty('at');
});

test('changes of which there are none are all of them', () => {
  for (const hash of [
    '#/task/A-1/changes/turn-',
    '#/task/A-1/changes/commit-x',
    '#/task/A-1/changes/--all',
    '#/task/A-1/runs/review',
  ])
    expect(parse(hash)).not.toHaveProperty('since');
});

test('an unknown tab of a task shows its session', () => {
  expect(parse('#/task/KES-47/nothing')).toEqual({ page: 'task', key: 'KES-47', tab: 'session' });
});

test('Esc leads back to where one came from, and else to the board that was seen last', () => {
  const board = { page: 'board', project: 'SAM' } as const;
  const all = { page: 'board', project: '' } as const;
  const task = { page: 'task', key: 'SAM-1', tab: 'session' } as const;
  const inbox = { page: 'inbox', question: 'q1' } as const;
  const trail = new Trail(board);
  trail.note(task);
  trail.note({ ...task, tab: 'changes' });
  trail.note({ ...task, key: 'SAM-2' });
  expect(trail.back(all)).toEqual(board);
  trail.note(inbox);
  expect(trail.back(all)).toEqual(board);
  trail.note(task);
  expect(trail.back(all)).toEqual(inbox);
  expect(new Trail(task).back(all), 'a link was opened').toEqual(all);
});
