// What a window of a plan's quota is called, and whether what was said of it still holds.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { oneLine } from '../text/plain';

/** windowName is what a window is called; one that is not known keeps its agent's word. */
export function windowName(kind: string): string {
  if (kind === 'five_hour') return t('limits.window5');
  if (kind === 'seven_day') return t('limits.windowWeek');
  const model = /^seven_day_(\w+)$/.exec(kind)?.[1];
  return model ? t('limits.windowModel', { model }) : oneLine(kind) || t('limits.notSaid');
}

/** holds reports whether a window has not been reset since its agent spoke of it. */
export function holds(window: beckon.QuotaWindow, now: number): boolean {
  return window.resets === 0 || window.resets > now;
}

/** usedOf says how much of a window is used up; what was not said, or was reset since, is unknown. */
export function usedOf(window: beckon.QuotaWindow, now: number): string {
  if (!holds(window, now)) return t('limits.notSaid');
  if (window.refused) return t('limits.usedUp');
  return window.percent < 0 ? t('limits.notSaid') : `${Math.round(window.percent)} %`;
}

/** barOf is how long the bar of a window is, 0 to 100; undefined where that is unknown. */
export function barOf(window: beckon.QuotaWindow, now: number): number | undefined {
  if (!holds(window, now)) return undefined;
  if (window.refused) return 100;
  return window.percent < 0 ? undefined : window.percent;
}
