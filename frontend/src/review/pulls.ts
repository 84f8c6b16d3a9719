import type { beckon } from '../bridge';

/** A pull request as it is called on its server. */
export function nameOfPull(pull: beckon.PullRequest): string {
  return `${pull.host === 'gitlab' ? '!' : '#'}${pull.number}`;
}

/** The name of the pull request whose discussions belong to a task: of its own, else of the one that it started from. */
export function requestOf(
  task: beckon.Task,
  pull: beckon.PullRequest | undefined,
): string | undefined {
  if (pull && pull.number > 0) return nameOfPull(pull);
  if (task.start.kind !== 'pull') return undefined;
  return `${task.start.url.includes('/merge_requests/') ? '!' : '#'}${task.start.number}`;
}

/** It, if it is open, so that what is pushed goes to it. */
export function openPull(pull: beckon.PullRequest | undefined): beckon.PullRequest | undefined {
  return pull && pull.number > 0 && (pull.state === 'open' || pull.state === 'draft')
    ? pull
    : undefined;
}
