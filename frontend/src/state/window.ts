import type { beckon } from '../bridge';
import { order, type Place, type RunNumber } from './entries';

/** A stretch of the transcript that was read at once, and how to go on from its ends. */
interface Stretch {
  before: string;
  after: string;
  first: beckon.Entry | undefined;
  last: beckon.Entry | undefined;
}

/** What to cut off a window. */
export interface Cut {
  most: number;
  from: 'oldest' | 'newest';
  reading?: Place;
}

/**
 * Which stretches of a long transcript are at hand, next to one another and
 * oldest first. Cursors are Beckon's and can not be made here, so a window is
 * cut only where one stretch ends and another begins.
 */
export class Window {
  readonly #stretches: Stretch[];

  constructor(pages: beckon.TranscriptPage[] = []) {
    this.#stretches = pages.map(stretchOf);
  }

  /** The cursor of the older page; empty where there is none. */
  get before(): string {
    return this.#stretches[0]?.before ?? '';
  }

  /** The cursor of the newer page; empty where the transcript ends. */
  get after(): string {
    return this.#stretches.at(-1)?.after ?? '';
  }

  prepend(page: beckon.TranscriptPage): void {
    this.#stretches.unshift(stretchOf(page));
  }

  append(page: beckon.TranscriptPage): void {
    this.#stretches.push(stretchOf(page));
  }

  /**
   * Cuts stretches off one end until at most so many entries are left, but
   * never the one that the reader is in; returns what is left.
   */
  trim(entries: beckon.Entry[], { most, from, reading }: Cut, number: RunNumber): beckon.Entry[] {
    let kept = entries;
    while (kept.length > most && this.#stretches.length > 1) {
      const cut = from === 'oldest' ? this.#withoutOldest(kept, reading, number) : this.#withoutNewest(kept, reading, number);
      if (cut === undefined) break;
      kept = cut;
    }
    return kept;
  }

  #withoutOldest(entries: beckon.Entry[], reading: Place | undefined, number: RunNumber): beckon.Entry[] | undefined {
    const next = this.#stretches[1];
    const first = next?.first;
    if (next?.before === '' || first === undefined || (reading && order(reading, first, number) < 0)) return undefined;
    this.#stretches.shift();
    return entries.filter((entry) => order(first, entry, number) <= 0);
  }

  #withoutNewest(entries: beckon.Entry[], reading: Place | undefined, number: RunNumber): beckon.Entry[] | undefined {
    const next = this.#stretches.at(-2);
    const last = next?.last;
    if (next?.after === '' || last === undefined || (reading && order(reading, last, number) > 0)) return undefined;
    this.#stretches.pop();
    return entries.filter((entry) => order(entry, last, number) <= 0);
  }
}

function stretchOf({ before, after, entries }: beckon.TranscriptPage): Stretch {
  return { before, after, first: entries[0], last: entries.at(-1) };
}
