import { t } from '../i18n/index.svelte';
import { store } from './store.svelte';
import type { Slot } from './views';

/** What the meter of slots shows: one cell for each, and words. With several executors what is free is on none of them, so it counts who waits. */
export function meter(): { cells: Slot[]; used: string; all: string; title: string } {
  const cells = store.slots;
  const count = (kind: Slot) => cells.filter((cell) => cell === kind).length;
  const used = String(cells.length - count('free'));
  const title = t('app.slotsSaid', { on: count('on'), ask: count('ask'), free: count('free') });
  if (store.executors.length === 0)
    return {
      cells,
      used,
      all: t('app.runningOf', { all: store.settings.slots }),
      title,
    };
  const n = [...store.dueByPlace.values()].reduce((sum, tasks) => sum + tasks.length, 0);
  return {
    cells,
    used,
    all: ` ${n > 0 ? t('app.runningWait', { n }) : t('app.running')}`,
    title,
  };
}
