// Figures and times as the design writes them, in the language in use.
import { language } from './index.svelte';

/** A clock: 2:14, 1:02:03. Never below 0:00. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Work: 38 s, 18 min, 2 h 5 min. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** A large count in little room: 812, 412k, 2.9 M. */
export function short(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_500) return `${number(Math.round(n / 1000))}k`;
  return `${number(n / 1_000_000, 1)} M`;
}

/** Tokens are counted in so little room everywhere. */
export const tokens = short;

/** Cost in dollars: $1.86. */
export function cost(usd: number): string {
  return formatOf('cost', {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  }).format(usd);
}

/** A moment: 14:31 today, Tue this week, 3 May before that. */
export function moment(at: number, now: number): string {
  const date = new Date(at);
  const today = new Date(now);
  const days = Math.round((startOfDay(today) - startOfDay(date)) / 86_400_000);
  if (days <= 0)
    return date.toLocaleTimeString(language(), {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  if (days < 7) return date.toLocaleDateString(language(), { weekday: 'short' });
  return date.toLocaleDateString(language(), { day: 'numeric', month: 'short' });
}

/** A moment to the second: 14:31:07 today, Tue 14:31:07 this week, 3 May 14:31:07 before that. */
export function second(at: number, now: number): string {
  const time = new Date(at).toLocaleTimeString(language(), {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const today = startOfDay(new Date(at)) >= startOfDay(new Date(now));
  return today ? time : `${moment(at, now)} ${time}`;
}

/** A moment to come: 14:31 today, Tue 14:31 this week, 3 May 14:31 after that. */
export function later(at: number, now: number): string {
  const date = new Date(at);
  const days = Math.round((startOfDay(date) - startOfDay(new Date(now))) / 86_400_000);
  const time = date.toLocaleTimeString(language(), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  if (days <= 0) return time;
  const day = date.toLocaleDateString(
    language(),
    days < 7 ? { weekday: 'short' } : { day: 'numeric', month: 'short' },
  );
  return `${day} ${time}`;
}

/** A day by its date, 2026-05-03: 3 May, or Sun 3 May where it is named alone. */
export function dayOf(date: string, alone = false): string {
  return new Date(`${date}T12:00`).toLocaleDateString(language(), {
    ...(alone && { weekday: 'short' as const }),
    day: 'numeric',
    month: 'short',
  });
}

/** Room on a disk: 812 KB, 212 MB, 1.4 GB, 1.4 TB; never 0 where there is any. */
export function room(bytes: number): string {
  if (bytes < 1e6) return `${number(Math.ceil(bytes / 1000))} KB`;
  if (bytes < 1e9) return `${number(Math.round(bytes / 1e6))} MB`;
  if (bytes < 1e12) return `${number(bytes / 1e9, bytes < 1e11 ? 1 : 0)} GB`;
  return `${number(bytes / 1e12, 1)} TB`;
}

/** The size of a file: 812 B, 12 KB, 1.4 GB. */
export function fileSize(bytes: number): string {
  return bytes < 1000 ? `${number(bytes)} B` : room(bytes);
}

/** A number with at most so many decimals. */
export function number(n: number, decimals = 0): string {
  return formatOf(String(decimals), { maximumFractionDigits: decimals }).format(n);
}

/** The formats that were made, by language and name: each takes as long to make as a row to draw. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language()} ${name}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(language(), options);
  formats.set(key, format);
  return format;
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
