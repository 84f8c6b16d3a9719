import Check from '@lucide/svelte/icons/check';
import CircleX from '@lucide/svelte/icons/circle-x';
import { api, type beckon } from '../bridge';
import { store } from '../state';

/** How the check of a task ran the last time, if it did. */
export function checkOf(task: beckon.Task): beckon.ScriptRun | undefined {
  return store.scripts.get(`${task.id}/check`);
}

/** What a check said of the work as it is. */
export function saysOfCheck(run: beckon.ScriptRun | undefined) {
  if (!run || run.outdated) return undefined;
  if (run.state === 'running')
    return { text: 'board.checkRunning', tone: 't-run', icon: undefined } as const;
  if (run.state === 'passed')
    return { text: 'board.checkPassed', tone: 't-ok', icon: Check } as const;
  return run.state === 'failed' || run.state === 'late'
    ? ({ text: 'board.checkFailed', tone: 't-bad', icon: CircleX } as const)
    : undefined;
}

/** Has the files looked at that the check of a task is about: one that is outdated says so then. */
export function lookAtCheck(task: beckon.Task): void {
  const run = checkOf(task);
  if (run && run.state !== 'running' && task.branch !== '')
    api.lookAtCheck(task.id).catch(() => {}); // what was seen last stays
}
