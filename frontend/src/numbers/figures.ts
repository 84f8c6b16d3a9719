// How measures are written.

import { cost, dayOf, duration, number, tokens } from '../i18n/format';
import { t } from '../i18n/index.svelte';
import type { Measure } from './sums';

/** A value of a measure with its unit. */
export function figure(measure: Measure, value: number): string {
  if (measure === 'cost') return cost(value);
  if (measure === 'tokens') return tokens(Math.round(value));
  if (measure === 'worked' || measure === 'waited') return value === 0 ? '0' : hours(value);
  return number(value, value < 10 && !Number.isInteger(value) ? 1 : 0);
}

/** Longer times: 38 s, 18 min, 2 h 5 min, 218 h. */
function hours(ms: number): string {
  return ms < 100 * 3_600_000 ? duration(ms) : `${number(Math.round(ms / 3_600_000))} h`;
}

/** A day that is named alone; the last one is today. */
export function dayWords(day: string, today: string): string {
  return day === today ? t('numbers.today') : dayOf(day, true);
}
