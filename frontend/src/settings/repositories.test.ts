import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { added, movedTo } from './repositories';

const one = (name: string) => ({ name }) as beckon.ProjectRepository;
const project = { mergeWay: 'squash', repositories: [one('dash'), one('Proto')] } as beckon.Project;
const found = (name: string) =>
  ({ name, dir: `/src/${name}`, base: 'main' }) as beckon.ProjectFound;

test('a folder becomes a repository that is merged as the project is, from the start', () => {
  expect(added(project, found('api'))).toEqual({
    name: 'api',
    dir: '/src/api',
    base: 'main',
    mergeWay: 'squash',
    fromStart: true,
  });
});

test('its name is one that it may have, and no other has', () => {
  expect(added(project, found('proto')).name).toBe('proto-2');
  expect(added(project, found('my tool (old)')).name).toBe('my-tool-old');
  expect(added(project, found('..')).name).toBe('repository');
});

test('one moves by a place, and stays at the ends', () => {
  const list = [one('a'), one('b')];
  expect(movedTo(list, 'a', 1).map(({ name }) => name)).toEqual(['b', 'a']);
  expect(movedTo(list, 'a', -1)).toBe(list);
  expect(movedTo(list, 'b', 1)).toBe(list);
});
