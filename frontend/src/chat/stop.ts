// Why a run stopped and what is safe, in words.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { agentSays, type Go } from '../state';

/** stopTitle says in a sentence how the last run of a task stopped. */
export function stopTitle(task: beckon.Task, run: beckon.Run | undefined): string {
  const agent = agentSays(run?.agent ?? task.agent);
  if (task.why) return t('task.stoppedTrouble');
  if (run?.outcome === 'limited') return t('task.stoppedLimited', { agent });
  if (run?.outcome === 'lost') return t('task.stoppedLost');
  if (run?.why?.code === 'overloaded') return t('task.stoppedOverloaded', { agent });
  return run?.outcome === 'stopped' ? t('task.stoppedStopped') : t('task.stoppedFailed');
}

const goneCodes = new Set([
  'branchGoneAway',
  'branchGoneBroken',
  'branchGoneEmpty',
  'branchGoneHere',
  'branchGoneOn',
  'branchGoneOnNone',
  'branchGoneWhole',
]);

/** Whether a task stopped because its branch does not exist any more: no run begins without it. */
function branchGone(task: beckon.Task, run: beckon.Run | undefined): boolean {
  for (let why = task.why ?? run?.why; why; why = why.why) if (goneCodes.has(why.code)) return true;
  return false;
}

/** toDo says what the next run of a stopped task does, or needs first. */
export function toDo(task: beckon.Task, run: beckon.Run | undefined, go: Go): string {
  if (branchGone(task, run)) return t('task.needsBranch');
  return go === 'resume' ? t('task.resumeDoes') : t('task.startDoes');
}

/** keptOf lists the work of a task that is safe; where its branch is gone, the reason says what is left of it. */
export function keptOf(task: beckon.Task, run: beckon.Run | undefined): string[] {
  const gone = branchGone(task, run);
  return [
    ...(!gone && task.changes.files > 0 ? [t('task.keptFiles', { n: task.changes.files })] : []),
    ...(!gone && task.changes.commits > 0
      ? [t('task.keptCommits', { n: task.changes.commits, branch: task.branch })]
      : []),
    task.session ? t('task.keptSession') : t('task.keptBrief'),
  ];
}
