import { t } from '../i18n/index.svelte';
import { toasts } from '../ui/toasts.svelte';
import { copy } from './copy';

/** Says that a file was written, and offers its path. */
export function tellExported(said: string, path: string): void {
  toasts.show(said, {
    tone: 'ok',
    ms: 10_000,
    action: { label: t('task.copyPath'), run: () => void copy(path) },
  });
}
