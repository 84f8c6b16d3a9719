// A schedule as a person chooses it, and as a line of cron.

import { slug } from '../form/starts';

/** How often something repeats. */
export const paces = ['daily', 'weekdays', 'weekly', 'cron', 'asked'] as const;
export type Pace = (typeof paces)[number];

/** What a person chooses; `time` is such as 07:00, `day` a weekday, 0 for Sunday. */
export interface Chosen {
  pace: Pace;
  time: string;
  day: number;
  cron: string;
}

const simple = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5|[0-6])$/;

/** A line of cron as what was chosen; one that is not simple stays a line. */
export function chosenOf(schedule: string): Chosen {
  const plain: Chosen = { pace: 'asked', time: '07:00', day: 1, cron: schedule };
  const parts = simple.exec(schedule);
  if (schedule === '') return plain;
  if (!parts || Number(parts[1]) > 59 || Number(parts[2]) > 23) return { ...plain, pace: 'cron' };
  const time = `${parts[2]!.padStart(2, '0')}:${parts[1]!.padStart(2, '0')}`;
  if (parts[3] === '*') return { ...plain, pace: 'daily', time };
  if (parts[3] === '1-5') return { ...plain, pace: 'weekdays', time };
  return { ...plain, pace: 'weekly', time, day: Number(parts[3]) };
}

/** What was chosen as a line of cron; empty where nothing happens by itself. */
export function scheduleOf({ pace, time, day, cron }: Chosen): string {
  if (pace === 'asked') return '';
  if (pace === 'cron') return cron.trim();
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const days = pace === 'daily' ? '*' : pace === 'weekdays' ? '1-5' : String(day);
  return `${minute} ${hour} * * ${days}`;
}

/** A name made of a title, as beckon run takes it. */
export function nameFrom(title: string): string {
  return slug(title).split('-').slice(0, 4).join('-');
}
