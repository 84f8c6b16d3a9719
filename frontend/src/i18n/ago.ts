import { language } from './index.svelte';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 7 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['year', 365 * 86_400_000],
];

/** How long ago something was, in its largest unit: 40 min. ago, yesterday, 3 wk. ago. */
export function ago(at: number, now: number): string {
  const past = Math.max(0, now - at);
  const [unit, ms] = units.findLast(([, ms]) => past >= ms) ?? units[0]!;
  return new Intl.RelativeTimeFormat(language(), { numeric: 'auto', style: 'short' }).format(
    -Math.floor(past / ms),
    unit,
  );
}
