import { api, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { attempt } from '../state';
import { copy } from '../text/copy';
import { tellExported } from '../text/exported';
import { toasts } from '../ui/toasts.svelte';

/** Exports a run and says where the file is. */
export function exportRun(runId: string, format: beckon.ExportFormat): Promise<boolean> {
  return attempt(async () => {
    const path = await api.exportRun(runId, format);
    tellExported(t('task.exported', { path }), path);
  });
}

/** Writes a task's session, or one run of it, as one page and says where the file is. */
export function sharePage(taskId: string, runId = ''): Promise<boolean> {
  return attempt(async () => {
    const path = await api.shareTask(taskId, runId);
    tellExported(t('task.exported', { path }), path);
  });
}

/** Writes who wrote the lines of a task's work and says where the file is. */
export function exportTrace(taskId: string): Promise<boolean> {
  return attempt(async () => {
    const path = await api.exportTrace(taskId);
    tellExported(t('task.exported', { path }), path);
  });
}

/** Copies what continues a run's session in a terminal. */
export function openInTerminal(runId: string): Promise<boolean> {
  return attempt(async () => {
    const command = await api.terminalCommand(runId);
    const words = command.endsWith(' --fork-session')
      ? 'task.terminalCopiedFork'
      : 'task.terminalCopied';
    if (await copy(command)) toasts.show(t(words), { tone: 'ok', ms: 6000 });
  });
}

/** What a menu offers for a run. */
export function runItems(run: beckon.Run): { label: string; run: () => void }[] {
  const runId = run.id;
  return [
    ...(run.session === ''
      ? []
      : [{ label: t('task.openInTerminal'), run: () => void openInTerminal(runId) }]),
    { label: t('task.shareRun'), run: () => void sharePage(run.taskId, runId) },
    { label: t('task.exportHtml'), run: () => void exportRun(runId, 'html') },
    { label: t('task.exportJson'), run: () => void exportRun(runId, 'json') },
  ];
}
