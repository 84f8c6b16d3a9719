// The commands of a project in the worktree of a task: which there are, and how they
// stand.
import { api, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { said } from '../i18n/reason';
import { attempt, sheets, store } from '../state';

export const kinds: beckon.ScriptKind[] = ['setup', 'check', 'dev'];

/** How a command ran the last time, if it did. */
export function runOf(taskId: string, kind: beckon.ScriptKind): beckon.ScriptRun | undefined {
  return store.scripts.get(`${taskId}/${kind}`);
}

/** The commands that a task's project has, and those that ran. */
export function kindsOf(task: beckon.Task): beckon.ScriptKind[] {
  const set = store.projects.get(task.projectId)?.scripts;
  return kinds.filter((kind) => set?.[kind] || runOf(task.id, kind));
}

/** Whether a task's command can be started: it has a worktree, and its project the command. */
export function startable(task: beckon.Task, kind: beckon.ScriptKind): boolean {
  return (
    task.worktree !== '' &&
    task.status !== 'archived' &&
    Boolean(store.projects.get(task.projectId)?.scripts[kind]) &&
    runOf(task.id, kind)?.state !== 'running'
  );
}

/** Whether a task's last run ended because its worktree could not be made ready. */
export function failedSetup(task: beckon.Task, last: beckon.Run | undefined): boolean {
  const run = runOf(task.id, 'setup');
  return (
    run !== undefined &&
    last !== undefined &&
    ['failed', 'late', 'stopped', 'lost'].includes(run.state) &&
    last.turns === 0 &&
    run.started >= last.started
  );
}

/** The address that the task's dev command shows on this computer, while it runs; empty for none. */
export function shownBy(taskId: string): string {
  const dev = runOf(taskId, 'dev');
  return dev?.state === 'running' ? dev.url : '';
}

/** An address as it is shown. */
export function addressOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

export function nameOf(kind: beckon.ScriptKind): string {
  return t(`scripts.${kind}`);
}

/** How a command stands, in words. */
export function stateOf(run: beckon.ScriptRun | undefined): string {
  if (!run) return t('scripts.never');
  if (run.state !== 'failed') return t(`scripts.${run.state}`);
  return run.why
    ? t('scripts.failedOddly', { reason: said(run.why) })
    : t('scripts.failed', { code: run.code });
}

export function runScript(task: beckon.Task, kind: beckon.ScriptKind): Promise<boolean> {
  const run = () => api.runScript(task.id, kind);
  return attempt(run, { untrusted: () => sheets.trust(task.projectId, run) });
}

export function stopScript(task: beckon.Task, kind: beckon.ScriptKind): Promise<boolean> {
  return attempt(() => api.stopScript(task.id, kind));
}
