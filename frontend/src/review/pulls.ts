import type { beckon } from '../bridge';

/** A pull request as it is called on its server. */
export function nameOfPull(pull: beckon.PullRequest): string {
  return `${pull.host === 'gitlab' ? '!' : '#'}${pull.number}`;
}

/** It, if it is open, so that what is pushed goes to it. */
export function openPull(pull: beckon.PullRequest | undefined): beckon.PullRequest | undefined {
  return pull && pull.number > 0 && (pull.state === 'open' || pull.state === 'draft')
    ? pull
    : undefined;
}
