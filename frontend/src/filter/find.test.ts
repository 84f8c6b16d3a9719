import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { countsOf, filesOf, find, type Facts } from './find';
import { isCut, touches } from './paths';
import { add, flip, same, tidy, toggle, type Clause, type Field, type Filter } from './query';

const labels = ['perf', 'api', 'docs', 'parser'];
const models = ['', 'opus', 'sonnet'];
const paths = [
  'src/parse/a.go',
  'src/parse/b.go',
  'src/main.go',
  'docs/Read me.md',
  'src/\u202Egp*j.exe',
];
const statuses = ['backlog', 'queued', 'running', 'review', 'done'] as const;

/** A stream of numbers that is the same in every run. */
function numbers(seed: number): (below: number) => number {
  return (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

function board(n: number, next: (below: number) => number): { tasks: beckon.Task[]; facts: Facts } {
  const tasks = Array.from({ length: n }, (_, i) => ({
    id: `t${i}`,
    key: `KES-${i}`,
    title: `${['Stream', 'Merge', 'Cache'][next(3)]} the ${['results', 'iterator', 'totals'][next(3)]}`,
    status: statuses[next(5)],
    priority: next(5),
    labels: labels.filter(() => next(3) === 0),
    projectId: `p${next(2)}`,
    model: models[next(3)],
    changes: {
      files: 3,
      added: 0,
      removed: 0,
      commits: 0,
      paths: paths.filter(() => next(3) === 0),
    },
    why: next(8) === 0 ? { code: 'claudeMissing' } : undefined,
  })) as beckon.Task[];
  const waiting = new Map(tasks.filter(() => next(6) === 0).map((task) => [task.id, true]));
  return {
    tasks,
    facts: {
      waiting,
      runs: new Map(),
      models: new Map([
        ['p0', 'haiku'],
        ['p1', ''],
      ]),
    },
  };
}

/** What a condition means, said as plainly as it can be. */
function holds(task: beckon.Task, { field, not, values }: Clause, facts: Facts): boolean {
  const own: Record<Field, string[]> = {
    label: task.labels.length > 0 ? task.labels : [''],
    priority: [String(task.priority)],
    state: [
      task.why !== undefined && !['backlog', 'queued', 'done'].includes(task.status)
        ? 'stopped'
        : task.status,
    ],
    project: [task.projectId],
    agent: [task.agent],
    model: [task.model || (task.agent === '' && facts.models.get(task.projectId)) || ''],
    waiting: [facts.waiting.has(task.id) ? 'you' : ''],
    file: values.filter((value) =>
      task.changes.paths!.some(
        (path) =>
          path === value ||
          (value.endsWith('/') && path.startsWith(value)) ||
          (value === '*Main*' && path.includes('main')) ||
          (value === 'src/*a.go' && path === 'src/parse/a.go'),
      ),
    ),
    text: values.filter((value) =>
      value
        .toLowerCase()
        .split(' ')
        .every((word) => `${task.key} ${task.title}`.toLowerCase().includes(word)),
    ),
  };
  return own[field].some((value) => values.includes(value)) !== not;
}

function anyFilter(next: (below: number) => number): Filter {
  const pool: [Field, string[]][] = [
    ['label', [...labels, '']],
    ['priority', ['0', '1', '2', '3', '4']],
    ['state', [...statuses, 'stopped']],
    ['project', ['p0', 'p1']],
    ['model', ['haiku', 'opus', 'sonnet', '']],
    ['waiting', ['you']],
    ['file', ['src/', 'src/parse/', 'docs/Read me.md', '*Main*', 'src/*a.go', 'src']],
    ['text', ['stream', 'Merge totals', 'kes-1']],
  ];
  return Array.from({ length: next(5) }, (): Clause => {
    const [field, values] = pool[next(pool.length)]!;
    const some = values.filter(() => next(2) === 0);
    return { field, not: next(3) === 0, values: some.length > 0 ? some : [values[0]!] };
  });
}

test('a filter shows the cards for which every condition holds, and counts what each finds alone', () => {
  const next = numbers(1);
  for (let round = 0; round < 200; round++) {
    const { tasks, facts } = board(60, next);
    const filter = anyFilter(next);
    const found = find(tasks, filter, facts);
    expect(found.matches, JSON.stringify(filter)).toEqual(
      tasks.filter((task) => filter.every((clause) => holds(task, clause, facts))),
    );
    expect(found.alone).toEqual(
      filter.map((clause) => tasks.filter((task) => holds(task, clause, facts)).length),
    );
  }
});

test('the count beside a value is what choosing it shows', () => {
  const next = numbers(2);
  for (let round = 0; round < 100; round++) {
    const { tasks, facts } = board(60, next);
    const filter = anyFilter(next);
    const found = find(tasks, filter, facts);
    for (const [field, values] of [
      ...countsOf(found, filter, facts),
      ['file', filesOf(found, filter)] as const,
    ]) {
      for (const [value, count] of values) {
        const chosen = [
          ...filter.filter((clause) => clause.field !== field),
          { field, not: false, values: [value] },
        ];
        expect(
          find(tasks, chosen, facts).matches.length,
          `${field} ${value} in ${JSON.stringify(filter)}`,
        ).toBe(count);
      }
    }
  }
});

test('another value of a field widens its condition, and a text is one of its own', () => {
  let filter = add([], { field: 'label', not: false, values: ['perf'] });
  filter = add(filter, { field: 'label', not: false, values: ['api', 'perf'] });
  filter = add(filter, { field: 'label', not: true, values: ['docs'] });
  filter = add(add(filter, { field: 'text', not: false, values: ['a'] }), {
    field: 'text',
    not: false,
    values: ['b'],
  });
  expect(filter.map((one) => [one.field, one.not, one.values.join()])).toEqual([
    ['label', false, 'perf,api'],
    ['label', true, 'docs'],
    ['text', false, 'a'],
    ['text', false, 'b'],
  ]);
});

test('there are never more conditions than a mask has bits', () => {
  let filter: Filter = [];
  for (let i = 0; i < 50; i++)
    filter = add(filter, { field: 'text', not: false, values: [`word${i}`] });
  const { tasks, facts } = board(10, numbers(3));
  expect(find(tasks, filter, facts).matches).toEqual([]);
  expect(filter).toHaveLength(16);
});

test('a condition that asks for nothing hides nothing, and goes when it is done with', () => {
  const { tasks, facts } = board(10, numbers(4));
  const filter = toggle([{ field: 'label', not: false, values: ['perf'] }], 0, ['perf']);
  expect(find(tasks, filter, facts).matches).toHaveLength(10);
  expect(tidy(filter)).toEqual([]);
});

test('two filters are the same where they ask the same, in whatever order', () => {
  const a: Filter = [
    { field: 'label', not: false, values: ['a', 'b'] },
    { field: 'state', not: true, values: ['done'] },
  ];
  expect(same(a, [a[1]!, { ...a[0]!, values: ['b', 'a'] }])).toBe(true);
  expect(same(a, flip(a, 0))).toBe(false);
});

test.each([
  ['*', 'a/b.go', true],
  ['*.go', 'a/b.go', true],
  ['*.go', 'a/b.go.txt', false],
  ['a*', 'a/b.go', true],
  ['b*', 'a/b.go', false],
  ['A/*/C.go', 'a/b/c.go', true],
  ['a*a', 'a', false],
  ['**b**', 'a/b.go', true],
  ['.*', 'x', false],
])('the pattern %s and the path %s', (pattern, path, want) => {
  expect(touches([pattern])({ changes: { paths: [path] } } as unknown as beckon.Task)).toBe(want);
});

test('a pattern that is made to take for ever does not', () => {
  const task = { changes: { paths: ['a'.repeat(4000)] } } as unknown as beckon.Task;
  const began = performance.now();
  expect(touches([`${'*a'.repeat(99)}*b`])(task)).toBe(false);
  expect(performance.now() - began).toBeLessThan(100);
});

test('a card that changed more files than it carries along is known', () => {
  const task = (files: number, paths?: string[]) =>
    ({ changes: { files, paths } }) as unknown as beckon.Task;
  expect([isCut(task(0)), isCut(task(1, ['a'])), isCut(task(2, ['a'])), isCut(task(1))]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
