import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { groupsOf, holds, projectOf } from './groups';

const project = (id: string, dir: string) => ({ id, dir }) as beckon.Project;
const session = (id: string, dir: string, repo = '', started = 0) =>
  ({ id, dir, repo, started }) as beckon.OutsideSession;

test('a folder holds what is in it, and not what begins like it', () => {
  expect(holds('/src/kestrel', '/src/kestrel')).toBe(true);
  expect(holds('/src/kestrel/', '/src/kestrel/plan')).toBe(true);
  expect(holds('C:\\src\\kestrel', 'C:\\src\\kestrel\\plan')).toBe(true);
  expect(holds('/src/kestrel', '/src/kestrel-old')).toBe(false);
  expect(holds('/src/kestrel', '/src')).toBe(false);
});

test('a session hangs under the innermost project that has its folder, or the repository of its worktree', () => {
  const projects = [project('a', '/src/all'), project('b', '/src/all/kestrel')];
  expect(projectOf(session('s', '/src/all/kestrel/plan'), projects)?.id).toBe('b');
  expect(projectOf(session('s', '/src/all/other'), projects)?.id).toBe('a');
  expect(projectOf(session('s', '/tmp/fix', '/src/all/kestrel'), projects)?.id).toBe('b');
  expect(projectOf(session('s', '/tmp/fix'), projects)).toBeUndefined();
});

test('projects come first, then the folders of none, and in each the oldest session', () => {
  const groups = groupsOf(
    [
      session('1', '/z', '', 5),
      session('2', '/src/kestrel', '', 3),
      session('3', '/z', '', 1),
      session('4', '/tmp/fix', '/a'),
      session('5', '/a'),
    ],
    [project('none', '/src/orchard'), project('kestrel', '/src/kestrel')],
  );
  expect(
    groups.map((group) => [
      group.project?.id ?? group.dir,
      group.sessions.map((one) => one.id).join(),
    ]),
  ).toEqual([
    ['kestrel', '2'],
    ['/a', '4,5'],
    ['/z', '3,1'],
  ]);
});
