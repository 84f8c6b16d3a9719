// How measures are written.

import { cost, duration, number, tokens } from '../i18n/format';
import { language, t } from '../i18n/index.svelte';
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

/** A day as people say it: 23 Oct. */
export function dayName(day: string): string {
  return new Date(`${day}T12:00`).toLocaleDateString(language(), {
    day: 'numeric',
    month: 'short',
  });
}

/** A day with its weekday, where it is named alone; the last one is today. */
export function dayWords(day: string, today: string): string {
  if (day === today) return t('numbers.today');
  return new Date(`${day}T12:00`).toLocaleDateString(language(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
}
