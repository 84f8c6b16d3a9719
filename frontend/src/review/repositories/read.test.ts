import { afterEach, expect, test, vi } from 'vitest';
import { api, type beckon } from '../../bridge';
import { store } from '../../state';
import { WholeReader } from './read';

const view: beckon.DiffView = { ignoreSpace: false, since: '', start: false };
const diff = (path: string) =>
  ({
    files: [{ path }],
    conflicts: [],
    uncommitted: [],
    omitted: 0,
  }) as unknown as beckon.ReviewDiff;
const part = (id: string, name: string, more: Partial<beckon.TaskPart> = {}) =>
  ({ id, name, branch: 'b', state: 'clean', conflicts: [], ...more }) as beckon.TaskPart;

function project(repositories: Partial<beckon.ProjectRepository>[]) {
  store.tasks.set('t', { id: 't', projectId: 'p' } as beckon.Task);
  store.projects.set('p', { id: 'p', repositories } as beckon.Project);
}

afterEach(() => vi.restoreAllMocks());

test('an ordinary task is asked about its repositories once', async () => {
  project([]);
  const parts = vi.spyOn(api, 'parts').mockResolvedValue([part('t', 'own')]);
  const review = vi.spyOn(api, 'review').mockResolvedValue(diff('a'));
  const reader = new WholeReader('t');
  const read = await reader.read(view);
  await reader.read(view);
  expect([read.parts, read.files.map(({ path }) => path)]).toEqual([[], ['a']]);
  expect(parts).toHaveBeenCalledTimes(1);
  expect(review).toHaveBeenCalledTimes(2);
});

test('one repository that cannot be read hides no other', async () => {
  project([{ name: 'dash' }, { name: 'proto' }, { name: 'none' }]);
  vi.spyOn(api, 'parts').mockResolvedValue([
    part('t/dash', 'dash'),
    part('t/proto', 'proto'),
    part('t/none', 'none', { branch: '', state: 'none' }),
    part('t', 'own'),
  ]);
  const review = vi
    .spyOn(api, 'review')
    .mockImplementation((id) =>
      id === 't/dash' ? Promise.reject(new Error('broken')) : Promise.resolve(diff(id)),
    );
  const read = await new WholeReader('t').read(view);
  expect(read.files.map(({ repository, path }) => [repository, path])).toEqual([
    ['proto', 't/proto'],
    [undefined, 't'],
  ]);
  expect(read.parts.map(({ failed }) => failed !== '')).toEqual([true, false, false, false]);
  expect(review.mock.calls.map(([id]) => id)).not.toContain('t/none');
});
