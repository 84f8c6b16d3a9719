import { api, type beckon } from '../bridge';
import type { Place } from '../state';
import { order, type RunNumber } from '../state/entries';
import { has, patternOf } from './find';

/** What a finder looks through and how it leads there. */
export interface Ground {
  taskId: string;
  /** The entries loaded, of those that may be shown. */
  entries: () => beckon.Entry[];
  number: RunNumber;
  /** Where the reader is. */
  here: () => Place | undefined;
  go: (place: Place) => void;
}

const typingMs = 150;
/** After this the index is asked again that had not read everything. */
const againMs = 1000;
const pageSize = 100;
const mostPages = 5;

/**
 * Finds words in a whole transcript: exactly in the entries loaded, and by
 * Beckon's index in those that are not. What was found stays found while the
 * reader moves, so that the count stands.
 */
export class Finder {
  query = $state('');
  places = $state.raw<Place[]>([]);
  /** Which of the places the reader was led to, -1 for none. */
  at = $state(-1);
  /** Whether there may be more than is counted. */
  more = $state(false);
  /** Why the count may be short. */
  short = $state<'' | 'partly' | 'behind'>('');
  readonly pattern = $derived(patternOf(this.query));

  #ground: Ground;
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  get current(): Place | undefined {
    return this.places[this.at];
  }

  /** Looks for something else. */
  look(query: string): void {
    this.query = query;
    this.places = [];
    this.at = -1;
    this.more = false;
    this.short = '';
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    if (this.pattern === null) return;
    this.gather();
    this.#lead();
    this.#timer = setTimeout(() => void this.#ask(asked), typingMs);
  }

  /** Adds what the entries loaded have, of which there may be others than before. */
  gather(): void {
    const { pattern } = this;
    if (pattern === null) return;
    const found = this.#ground.entries().filter((entry) => has(entry, pattern));
    // The index may know a line that is part of another entry, or words that stand apart.
    const exact = new Set(found.map(name));
    const away = new Set(this.#elsewhere(this.places));
    this.#put([
      ...this.places.filter((place) => away.has(place) || exact.has(name(place))),
      ...found,
    ]);
  }

  /** Leads to the next place, or back; after the last one comes the first. */
  step(by: 1 | -1): void {
    const all = this.places.length;
    if (all === 0) return;
    this.at = this.at < 0 ? (by > 0 ? 0 : all - 1) : (this.at + by + all) % all;
    this.#ground.go(this.current!);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#asked++;
  }

  /** Asks for what is not loaded; a reply to an older query is dropped. */
  async #ask(asked: number): Promise<void> {
    try {
      let before = '';
      let behind = false;
      for (let page = 0; page < mostPages; page++) {
        const read = await api.search({
          text: this.query,
          taskId: this.#ground.taskId,
          projectId: '',
          kind: '',
          before,
          limit: pageSize,
        });
        if (asked !== this.#asked) return;
        this.#put([...this.places, ...this.#elsewhere(read.hits)]);
        before = read.before;
        this.more = before !== '';
        behind ||= read.behind > 0;
        if (before === '') break;
      }
      this.short = behind ? 'behind' : '';
      if (behind) this.#timer = setTimeout(() => void this.#ask(asked), againMs);
      if (this.at < 0) this.#lead();
    } catch {
      if (asked === this.#asked) this.short = 'partly';
    }
  }

  /** Places among the entries loaded are looked at more closely there. */
  #elsewhere<P extends Place>(places: P[]): P[] {
    const entries = this.#ground.entries();
    const [first, last] = [entries[0], entries.at(-1)];
    if (!first || !last) return places;
    const { number } = this.#ground;
    return places.filter(
      (place) => order(place, first, number) < 0 || order(last, place, number) < 0,
    );
  }

  /** Replaces the places; the one that the reader was led to stays so, or the one in its stead. */
  #put(places: Place[]): void {
    const { current } = this;
    const { number } = this.#ground;
    const known = new Map(
      places.map(({ runId, pos, part }) => [name({ runId, pos, part }), { runId, pos, part }]),
    );
    this.places = [...known.values()].sort((a, b) => order(a, b, number));
    if (current) this.at = this.places.findLastIndex((place) => order(place, current, number) <= 0);
  }

  /** Leads to the first place from where the reader is, or to the last one before. */
  #lead(): void {
    if (this.places.length === 0) return;
    const here = this.#ground.here();
    const next = here
      ? this.places.findIndex((place) => order(here, place, this.#ground.number) <= 0)
      : 0;
    this.at = next < 0 ? this.places.length - 1 : next;
    this.#ground.go(this.current!);
  }
}

function name({ runId, pos, part = 0 }: Place): string {
  return `${runId}/${pos}.${part}`;
}
