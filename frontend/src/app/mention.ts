import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { store, theRouter } from '../state';
import { within } from '../text/paths';
import { toasts } from '../ui/toasts.svelte';

/**
 * Names dropped files in the text under the pointer, or else in the one with
 * the focus, as Claude reads them: @src/main.ts. What a composer took as
 * attachments is not named besides.
 */
export function mention({ paths, x, y }: beckon.ShellEvent): void {
  if (Date.now() - taken < together) return;
  const field = fieldAt(document.elementFromPoint(x, y)) ?? fieldAt(document.activeElement);
  if (field === undefined) {
    toasts.show(t('desktop.noField'));
    return;
  }
  const text = `${paths.map((path) => mentioned(path, foldersAt(field))).join(' ')} `;
  field.focus();
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** How Claude reads a path: as the folder's, where one holds it. */
export function mentioned(path: string, folders: string[]): string {
  const short = within(path, folders);
  return /\s/.test(short) ? `@"${short}"` : `@${short}`;
}

/** How long a drop and the desktop's word of it may be apart. */
const together = 1500;
let taken = 0;

/** Notes that part of the page took what was dropped on it. */
export function takenByPage(): void {
  taken = Date.now();
}

function fieldAt(element: Element | null): HTMLTextAreaElement | undefined {
  const found =
    element?.closest('textarea') ?? element?.closest('.composer')?.querySelector('textarea');
  return found ?? undefined;
}

/** The folders of the task that a field is about. */
function foldersAt(field: Element): string[] {
  const route = theRouter().route;
  const shown = route.page === 'task' ? store.taskByKey(route.key)?.id : undefined;
  const task = field.closest<HTMLElement>('[data-task]')?.dataset.task ?? shown;
  return task === undefined ? [] : store.foldersOf(task);
}
