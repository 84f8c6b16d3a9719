import { afterEach, expect, test, vi } from 'vitest';
import { api, type beckon, BeckonError } from '../../bridge';
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

test('where its repositories cannot be read, a task is not shown as one of a single repository', async () => {
  const parts = vi.spyOn(api, 'parts').mockRejectedValue(new Error('broken'));
  const review = vi.spyOn(api, 'review').mockResolvedValue(diff('a'));
  project([{ name: 'dash' }]);
  await expect(new WholeReader('t').read(view)).rejects.toThrow('broken');
  expect(review).not.toHaveBeenCalled();

  project([]); // the project has none any more, the task kept its own
  const reader = new WholeReader('t');
  parts.mockResolvedValueOnce([part('t/dash', 'dash'), part('t', 'own')]);
  expect((await reader.read(view)).parts).toHaveLength(2);
  await expect(reader.read(view)).rejects.toThrow('broken');
  parts.mockResolvedValueOnce([part('t/dash', 'dash'), part('t', 'own')]);
  expect((await reader.read(view)).parts, 'it is asked for again').toHaveLength(2);
});

test('a repository without the turn that is looked at is shown whole, or says so', async () => {
  project([{ name: 'new' }, { name: 'gone' }, { name: 'broken' }]);
  const all = ['new', 'gone', 'broken'].map((name) => part(`t/${name}`, name));
  vi.spyOn(api, 'parts').mockResolvedValue([...all, part('t', 'own')]);
  const errors: Record<string, BeckonError> = {
    't/new': new BeckonError('not_found', 'none', 'notReviewed'),
    't/gone': new BeckonError('not_found', 'no such turn', 'turnUnrecorded', { number: '2' }),
    't/broken': new BeckonError('internal', 'broken'),
  };
  vi.spyOn(api, 'review').mockImplementation((id, { since }) =>
    since !== '' && errors[id] ? Promise.reject(errors[id]) : Promise.resolve(diff(id)),
  );
  const read = await new WholeReader('t').read({ ...view, since: 'review' });
  expect(read.files.map(({ path }) => path)).toEqual(['t/new', 't']);
  expect(read.parts.map(({ failed, absent }) => [failed !== '', absent !== ''])).toEqual([
    [false, false],
    [false, true],
    [true, false],
    [false, false],
  ]);
});

test('a task that needed no other repository is merged as one that has none', async () => {
  project([{ name: 'dash' }]);
  const of = (more: Partial<beckon.TaskPart>) =>
    vi.spyOn(api, 'parts').mockResolvedValue([part('t/dash', 'dash', more), part('t', 'own')]);
  vi.spyOn(api, 'review').mockResolvedValue({ ...diff('a'), conflicts: ['a'] });
  of({ branch: '', state: 'none' });
  expect((await new WholeReader('t').read(view)).conflicts).toEqual(['a']);
  of({ state: 'unchanged' });
  expect((await new WholeReader('t').read(view)).conflicts).toEqual([]);
});
