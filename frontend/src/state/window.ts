import type { beckon } from '../bridge';
import { order, type Place, type RunNumber } from './entries';

/** The cursors of what is older and what is newer than the entries loaded; empty where there is nothing. */
export interface Bounds {
  before: string;
  after: string;
}

/** The loaded part of a transcript, oldest first, and how to load more at its ends. */
export interface Window {
  entries: beckon.Entry[];
  bounds: Bounds;
}

/** What to cut off a window. */
export interface Cut {
  most: number;
  from: 'oldest' | 'newest';
  reading?: Place;
}

/** How much around the reader is kept, in entries. */
const margin = 100;

/**
 * Cuts a window that has grown beyond so many entries down to two thirds of
 * them, so that it is not cut again at once; what is around the reader stays.
 * A cursor names a line, so the entries of one line stay together.
 */
export function trim(window: Window, { most, from, reading }: Cut, number: RunNumber): Window {
  const { entries } = window;
  if (entries.length <= most) return window;
  const keep = Math.floor((most * 2) / 3);
  const here =
    reading === undefined ? -1 : entries.findIndex((entry) => order(entry, reading, number) >= 0);
  if (from === 'oldest')
    return withoutOldest(
      window,
      Math.min(entries.length - keep, here < 0 ? Infinity : here - margin),
    );
  return withoutNewest(window, here < 0 ? keep : Math.max(keep, here + margin));
}

/** The cursor of what comes after an entry's line. */
export function after(entry: beckon.Entry): string {
  return `${entry.runId}/${entry.pos + 1}`;
}

function withoutOldest({ entries, bounds }: Window, count: number): Window {
  let at = count;
  while (at > 0 && sameLine(entries[at - 1]!, entries[at]!)) at--;
  if (at <= 0) return { entries, bounds };
  const first = entries[at]!;
  return {
    entries: entries.slice(at),
    bounds: { ...bounds, before: `${first.runId}/${first.pos}` },
  };
}

function withoutNewest({ entries, bounds }: Window, length: number): Window {
  let end = length;
  while (end < entries.length && sameLine(entries[end - 1]!, entries[end]!)) end++;
  if (end >= entries.length) return { entries, bounds };
  return { entries: entries.slice(0, end), bounds: { ...bounds, after: after(entries[end - 1]!) } };
}

function sameLine(a: beckon.Entry, b: beckon.Entry): boolean {
  return a.runId === b.runId && a.pos === b.pos;
}
