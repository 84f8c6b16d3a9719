import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { between } from './rank';
import * as views from './views';

const task = (id: string, status: beckon.Status, rank = 0, more: Partial<beckon.Task> = {}) =>
  ({
    id,
    status,
    rank,
    projectId: 'p',
    created: 0,
    updated: 0,
    trouble: '',
    ...more,
  }) as beckon.Task;
const run = (taskId: string, phase: beckon.Phase, more: Partial<beckon.Run> = {}) =>
  ({
    id: `run-${taskId}`,
    taskId,
    number: 1,
    kind: 'task',
    phase,
    outcome: '',
    executor: '',
    ...more,
  }) as beckon.Run;
const question = (
  id: string,
  taskId: string,
  asked: number,
  settlement: beckon.Settlement = 'open',
) => ({ id, taskId, asked, settlement }) as beckon.Question;

test('the longest waiting question comes first, and settled ones do not wait', () => {
  const list = [
    question('late', 'a', 9),
    question('done', 'a', 1, 'answered'),
    question('orphaned', 'b', 2, 'orphaned'),
  ];
  expect(views.waiting(list).map((q) => q.id)).toEqual(['orphaned', 'late']);
});

test('who answers next answers what runs out first, then what keeps others waiting, then the rest', () => {
  const clock = (id: string, deadline: number, heldMs = 0) => ({
    ...question(id, id, 1),
    deadline,
    heldMs,
  });
  const list = [
    question('old', 'a', 1),
    question('blocking', 'b', 5),
    clock('late', 900),
    clock('soon', 300),
    clock('held', 0, 100),
    { ...question('orphaned', 'c', 0, 'orphaned'), deadline: 100 },
  ];
  expect(views.byUrgency(list, (q) => q.id === 'blocking').map((q) => q.id)).toEqual([
    'soon',
    'late',
    'blocking',
    'orphaned',
    'held',
    'old',
  ]);
});

test('what ssh asks comes after the questions whose clock runs, the longest waiting first', () => {
  const clocked = { ...question('clocked', 'a', 1), deadline: 300, heldMs: 0 };
  const status = (id: string, since: number) =>
    ({
      executor: { id: `on-${id}` },
      health: since > 0 ? { ask: { id, since } } : {},
    }) as beckon.ExecutorStatus;
  const asks = views.asksOf([status('late', 9), status('none', 0), status('early', 2)]);
  expect(asks.map(({ id, executor }) => `${id} ${executor.id}`)).toEqual([
    'early on-early',
    'late on-late',
  ]);
  const urgent = views.byUrgency([question('old', 'b', 1), clocked], () => false);
  expect(views.inTurn(urgent, asks).map(({ id }) => id)).toEqual([
    'clocked',
    'early',
    'late',
    'old',
  ]);
});

test('cards that need the person stand at the top of Running', () => {
  const tasks = [
    task('calm', 'running', 1),
    task('second', 'running', 2),
    task('first', 'running', 3),
  ];
  const needs = views.byTask(
    views.waiting([question('q1', 'second', 20), question('q2', 'first', 10)]),
  );
  expect(views.lanes(tasks, needs).running.map((t) => t.id)).toEqual(['first', 'second', 'calm']);
});

test('archived cards and those of other projects are not on the board', () => {
  const tasks = [
    task('a', 'backlog'),
    task('b', 'archived'),
    task('c', 'backlog', 0, { projectId: 'other' }),
  ];
  expect(views.lanes(tasks, new Map(), 'p').backlog.map((t) => t.id)).toEqual(['a']);
});

test('Done shows what was finished last', () => {
  const tasks = [task('old', 'done', 1, { updated: 1 }), task('new', 'done', 2, { updated: 2 })];
  expect(views.lanes(tasks, new Map()).done.map((t) => t.id)).toEqual(['new', 'old']);
});

test('slots show who waits, who works and what is free, but no chats', () => {
  const runs = [
    run('a', 'working'),
    run('b', 'asking'),
    run('c', 'ended'),
    run('d', 'idle', { kind: 'chat' }),
  ];
  const needs = views.byTask([question('q', 'b', 1)]);
  expect(views.slots(runs, needs, 4)).toEqual(['ask', 'on', 'free', 'free']);
});

test('lowering the limit hides no agent that works', () => {
  expect(views.slots([run('a', 'working'), run('b', 'working')], new Map(), 1)).toEqual([
    'on',
    'on',
  ]);
});

test('a question keeps tasks waiting only where all slots are taken and a task is queued there', () => {
  const runs = [
    run('a', 'asking'),
    run('b', 'working'),
    run('c', 'asking', { kind: 'chat' }),
    run('d', 'ended'),
    run('e', 'asking', { executor: 'farm' }),
  ];
  // The same as in backend/beckon/urgency_test.go.
  const full = (here: number, farm: number, ...queued: string[]) => [
    ...views.fullPlaces(
      new Map([
        ['', here],
        ['farm', farm],
      ]),
      new Map(queued.map((place) => [place, true])),
      runs,
    ),
  ];
  expect(full(2, 1, '', 'farm')).toEqual(['', 'farm']);
  expect(full(2, 1, '')).toEqual(['']);
  expect(full(3, 1, 'farm')).toEqual(['farm']);
  expect([...full(3, 2, '', 'farm'), ...full(2, 1)]).toEqual([]);
});

test('a task executes where it says, else where its project does', () => {
  const project = { executor: 'farm' } as beckon.Project;
  const on = (executor: string, of: beckon.Project | undefined) =>
    views.placeOf(task('a', 'queued', 0, { executor }), of);
  expect([on('', project), on('here', project), on('gpu', project)]).toEqual(['farm', '', 'gpu']);
  expect([on('', { executor: '' } as beckon.Project), on('', undefined)]).toEqual(['', '']);
});

test('the newest run of a task is the one its card shows', () => {
  const runs = [
    run('a', 'working', { id: 'r2', number: 2 }),
    run('a', 'ended', { id: 'r1', number: 1 }),
  ];
  expect(views.latestRuns(runs).get('a')?.id).toBe('r2');
});

test('the title counts who waits', () => {
  expect([views.title(0), views.title(2)]).toEqual(['Beckon', '(2) Beckon']);
});

test('a run that failed marks the card as stopped, until it is queued again', () => {
  const failed = run('a', 'ended', { outcome: 'failed' });
  expect(views.stopped(task('a', 'review'), failed)).toBe(true);
  expect(views.stopped(task('a', 'queued'), failed)).toBe(false);
  expect(
    views.stopped(task('a', 'queued', 0, { why: { code: '', said: 'farm is away' } }), failed),
    'what it waits for did not stop it',
  ).toBe(false);
  expect(views.stopped(task('a', 'review'), run('a', 'ended', { outcome: 'succeeded' }))).toBe(
    false,
  );
});

test('nobody is offered to start what runs, or what is over', () => {
  expect(views.goOf(task('a', 'review', 0, { session: 's' }), run('a', 'working'))).toBe('');
  expect(views.goOf(task('a', 'done', 0, { session: 's' }), run('a', 'ended'))).toBe('');
  expect(views.goOf(task('a', 'review', 0, { session: 's' }), run('a', 'ended'))).toBe('resume');
  expect(views.goOf(task('a', 'backlog', 0, { session: '' }), undefined)).toBe('start');
});

test('a task starts over that was begun, and is neither at work nor over', () => {
  const begun = { session: 's', branch: 'beckon/a' };
  expect(views.mayStartOver(task('a', 'review', 0, begun), run('a', 'ended'))).toBe(true);
  expect(views.mayStartOver(task('a', 'running', 0, begun), run('a', 'ended'))).toBe(true);
  expect(
    views.mayStartOver(task('a', 'backlog', 0, { session: '', branch: 'beckon/a' }), undefined),
  ).toBe(true);
  expect(views.mayStartOver(task('a', 'backlog', 0, { session: '', branch: '' }), undefined)).toBe(
    false,
  );
  expect(views.mayStartOver(task('a', 'running', 0, begun), run('a', 'working'))).toBe(false);
  for (const over of ['queued', 'done', 'archived'] as const)
    expect(views.mayStartOver(task('a', over, 0, begun), run('a', 'ended'))).toBe(false);
});

test('another agent can go on with what one began and that is at rest', () => {
  const begun = { worktree: '/w/a', session: 's', resume: { at: 0, why: '', tries: 0 } };
  const may = (status: beckon.Status, more: object = {}, phase: beckon.Phase = 'ended') =>
    views.mayHandOver(
      task('a', status, 0, { ...begun, ...more } as Partial<beckon.Task>),
      run('a', phase),
    );
  expect([may('review'), may('running'), may('backlog')]).toEqual([true, true, true]);
  expect(may('queued', { resume: { at: 5, why: 'limit', tries: 0 } })).toBe(true);
  expect(may('queued')).toBe(false);
  expect([may('done'), may('archived'), may('review', { worktree: '' })]).toEqual([
    false,
    false,
    false,
  ]);
  expect(may('running', {}, 'working')).toBe(false);
});

test('a card dropped between two others stays between them', () => {
  expect(between(1, 2)).toBe(1.5);
  expect(between(5, undefined)).toBe(0);
  expect(between(undefined, 7)).toBeLessThan(7);
});

test('no place but the end has the rank that means the end', () => {
  for (const [above, below] of [
    [undefined, 1024],
    [-1, 1],
    [-3, 3],
  ] as const) {
    const rank = between(above, below);
    expect(rank).not.toBe(0);
    expect(rank).toBeLessThan(below);
    if (above !== undefined) expect(rank).toBeGreaterThan(above);
  }
});

test('who waits for the person comes before what went wrong, and that before the column', () => {
  const failed = run('a', 'ended', { outcome: 'failed' });
  expect(views.standOf(task('a', 'running'), failed, true)).toBe('needs');
  expect(views.standOf(task('a', 'running'), failed, false)).toBe('failed');
  expect(
    views.standOf(task('a', 'review'), run('a', 'ended', { outcome: 'succeeded' }), false),
  ).toBe('review');
});

test('a live run counts to what the task took', () => {
  const spent = { tokens: 100, costUsd: 1, workedMs: 1000 };
  const took = { started: 5000, spent: { tokens: 5, costUsd: 0.5, workedMs: 0 } };
  expect(
    views.spentOf(task('a', 'running', 0, { spent }), run('a', 'working', took), 8000),
  ).toEqual({ tokens: 105, costUsd: 1.5, workedMs: 4000 });
  expect(views.spentOf(task('a', 'review', 0, { spent }), run('a', 'ended', took), 8000)).toEqual(
    spent,
  );
});

test('work waits to be looked at where it is in Review and no agent lives, in the order of the column', () => {
  const run = (phase: string) => ({ phase }) as beckon.Run;
  const tasks = [
    task('second', 'review', 2),
    task('first', 'review', 1),
    task('works', 'review', 0),
    task('done', 'done', 0),
  ];
  const latest = new Map([
    ['first', run('ended')],
    ['works', run('working')],
  ]);
  expect(views.toReview(tasks, latest).map(({ id }) => id)).toEqual(['first', 'second']);
});
