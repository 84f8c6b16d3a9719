import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { agentsOf, nextWaiting } from './agents';

const task = (id: string, status: beckon.Status) => ({ id, status }) as beckon.Task;
const run = (taskId: string, phase: beckon.Phase, kind: beckon.RunKind = 'task') =>
  ({ taskId, phase, kind, started: 1, ended: 2 }) as beckon.Run;
const question = (taskId: string, asked: number) => ({ taskId, asked }) as beckon.Question;

const table: {
  name: string;
  status: beckon.Status;
  run?: beckon.Run;
  asked?: number;
  want: string;
}[] = [
  { name: 'a task that never ran has no pane', status: 'backlog', want: 'none' },
  { name: 'an agent at work', status: 'running', run: run('a', 'working'), want: 'works 1' },
  {
    name: 'a chat between two turns',
    status: 'backlog',
    run: run('a', 'idle', 'chat'),
    want: 'idle 1',
  },
  {
    name: 'an agent that asked',
    status: 'running',
    run: run('a', 'asking'),
    asked: 7,
    want: 'waits 7',
  },
  {
    name: 'a question whose run died',
    status: 'review',
    run: run('a', 'ended'),
    asked: 7,
    want: 'waits 7',
  },
  {
    name: 'a run that is ready for review',
    status: 'review',
    run: run('a', 'ended'),
    want: 'ended 2',
  },
  {
    name: 'a chat that ended on a task nobody began',
    status: 'backlog',
    run: run('a', 'ended', 'chat'),
    want: 'ended 2',
  },
  { name: 'work that was put back', status: 'backlog', run: run('a', 'ended'), want: 'over 2' },
  { name: 'work that was merged', status: 'done', run: run('a', 'ended'), want: 'over 2' },
];

for (const one of table) {
  test(one.name, () => {
    const runs = new Map(one.run ? [['a', one.run]] : []);
    const urgent = one.asked ? [question('a', one.asked)] : [];
    const agent = agentsOf([task('a', one.status)], runs, urgent).get('a');
    expect(agent ? `${agent.stage} ${agent.since}` : 'none').toBe(one.want);
  });
}

test('answer next goes round those that wait, from the one that presses most', () => {
  const tasks = ['a', 'b', 'c'].map((id) => task(id, 'running'));
  const agents = agentsOf(tasks, new Map([['c', run('c', 'working')]]), [
    question('b', 9),
    question('a', 3),
  ]);
  expect([
    nextWaiting(agents, ''),
    nextWaiting(agents, 'b'),
    nextWaiting(agents, 'a'),
    nextWaiting(agents, 'c'),
  ]).toEqual(['b', 'a', 'b', 'b']);
  expect(nextWaiting(new Map(), 'a')).toBeUndefined();
});
