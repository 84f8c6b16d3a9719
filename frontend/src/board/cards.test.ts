import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import '../i18n/desk';
import { changeOf, rowsFor } from './choosing';
import { store } from '../state';
import { able, linesOf } from './many';

const card = (labels: string[], more: Partial<beckon.Task> = {}) =>
  ({
    labels,
    priority: 0,
    model: '',
    policy: 'wait',
    waitMs: 0,
    status: 'backlog',
    branch: '',
    ...more,
  }) as beckon.Task;

test('labels say on how many cards they are, and the first press gives them to all', () => {
  const tasks = [card(['perf', 'api']), card(['api'])];
  const rows = rowsFor('labels', 'p', tasks, () => ['api', 'perf', 'api', 'docs', 'perf']);
  expect(rows.map((one) => [one.value, one.tick, one.note])).toEqual([
    ['perf', 'some', 'on 1 of 2'],
    ['api', 'on', 'on all 2'],
    ['p', 'off', ''],
  ]);
  expect(rows.map((one) => changeOf('labels', one))).toEqual([
    { kind: 'label', add: ['perf'], remove: [] },
    { kind: 'label', add: [], remove: ['api'] },
    { kind: 'label', add: ['p'], remove: [] },
  ]);
  expect(
    rowsFor('labels', 'PERF', tasks, () => ['perf']),
    'a label that is there is not offered as new',
  ).toHaveLength(1);
});

test('a model or a time that no list has is offered to those that have it', () => {
  const own = rowsFor(
    'policy',
    '',
    [card([], { policy: 'proceed', waitMs: 7 * 60_000 })],
    () => [],
  ).find((one) => one.tick === 'on')!;
  expect(own.label).toContain('7 min');
  expect(changeOf('policy', own)).toEqual({ kind: 'policy', policy: 'proceed', waitMs: 420_000 });
  expect(
    rowsFor('model', '', [card([], { model: 'claude-opus-4-8[1m]' })], () => []).find(
      (one) => one.tick === 'on',
    )?.label,
  ).toBe('Opus 4.8 (1M)');
  expect(
    rowsFor('priority', 'hi', [card([])], () => []).map((one) => changeOf('priority', one)),
  ).toEqual([{ kind: 'priority', priority: 3 }]);
});

test('the projects are offered by name, and the one that a card is in is ticked', () => {
  for (const [id, name, created] of [
    ['k', 'kestrel', 1],
    ['l', 'lantern', 2],
  ] as const)
    store.projects.set(id, { id, name, created, color: 3 } as beckon.Project);
  const rows = rowsFor('project', '', [card([], { projectId: 'l' })], () => []);
  expect(rows.map((one) => [one.label, one.tick, one.tone])).toEqual([
    ['kestrel', 'off', 3],
    ['lantern', 'on', 3],
  ]);
  expect(changeOf('project', rows[0]!)).toEqual({ kind: 'project', projectId: 'k' });
});

test('lines lose the signs of their list and nothing else', () => {
  expect(
    linesOf(
      '- one\n\n* two\r\n 3. three\n- [ ] four\n- [x] done\n[X] done too\n• five\n-6 degrees\n2.5 times faster\n  \n',
    ),
  ).toEqual(['one', 'two', 'three', 'four', 'five', '-6 degrees', '2.5 times faster']);
});

test('how many cards can be queued, archived or deleted is known before', () => {
  const tasks = [
    card([]),
    card([], { status: 'running', branch: 'b' }),
    card([], { status: 'review', branch: 'b' }),
    card([], { status: 'done', branch: 'b' }),
  ];
  expect([able(tasks, 'queue'), able(tasks, 'archive'), able(tasks, 'delete')]).toEqual([2, 3, 1]);
});
