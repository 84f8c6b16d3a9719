// A changed file, and which of a task's repositories it is in.

import type { beckon } from '../bridge';

/** ChangedFile is a file of the changes; `repository` is the name of a further repository, and left out of files of the task's own. */
export type ChangedFile = beckon.FileDiff & { repository?: string };

/** idOf names a file among those of all repositories: two of them may have a file of the same path. */
export function idOf({ repository, path }: { repository?: string; path: string }): string {
  return repository ? `${repository}//${path}` : path;
}

/** partOf returns what the calls of a review take in place of a task's id, for one of its repositories; "" is the task's own. */
export function partOf(taskId: string, repository = ''): string {
  return repository === '' ? taskId : `${taskId}/${repository}`;
}

/** inSame reports whether a remark is about a file of the same repository. */
export function inSame(one: object, file: ChangedFile): boolean {
  return repositoryOf(one) === (file.repository ?? '');
}

/** repositoryOf returns the repository that a remark is about: a discussion on the pull request is about the task's own. */
export function repositoryOf(one: { repository?: string } | object): string {
  return ('repository' in one && one.repository) || '';
}
