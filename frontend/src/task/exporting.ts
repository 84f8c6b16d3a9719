import { api, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { attempt } from '../state';
import { copy } from '../text/copy';
import { toasts } from '../ui/toasts.svelte';

/** Exports a run and says where the file is. */
export function exportRun(runId: string, format: beckon.ExportFormat): Promise<boolean> {
  return attempt(async () => {
    const path = await api.exportRun(runId, format);
    toasts.show(t('task.exported', { path }), { tone: 'ok', ms: 10_000, action: { label: t('task.copyPath'), run: () => void copy(path) } });
  });
}

/** What a menu offers for a run. */
export function exportItems(runId: string): { label: string; run: () => void }[] {
  return [
    { label: t('task.exportHtml'), run: () => void exportRun(runId, 'html') },
    { label: t('task.exportJson'), run: () => void exportRun(runId, 'json') },
  ];
}
