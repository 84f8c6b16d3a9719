// Why a run stopped and what is safe, in words.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';

/** stopTitle says in a sentence how the last run of a task stopped. */
export function stopTitle(task: beckon.Task, run: beckon.Run | undefined): string {
  if (task.why) return t('task.stoppedTrouble');
  if (run?.outcome === 'limited') return t('task.stoppedLimited');
  if (run?.outcome === 'lost') return t('task.stoppedLost');
  if (run?.why?.code === 'overloaded') return t('task.stoppedOverloaded');
  return run?.outcome === 'stopped' ? t('task.stoppedStopped') : t('task.stoppedFailed');
}

/** keptOf lists the work of a task that is safe. */
export function keptOf(task: beckon.Task): string[] {
  return [
    ...(task.changes.files > 0 ? [t('task.keptFiles', { n: task.changes.files })] : []),
    ...(task.changes.commits > 0
      ? [t('task.keptCommits', { n: task.changes.commits, branch: task.branch })]
      : []),
    task.session ? t('task.keptSession') : t('task.keptBrief'),
  ];
}
