// The decisions that are shown: the pages that were read, and what each led to.

import { SvelteMap } from 'svelte/reactivity';
import { api, type beckon } from '../bridge';

/** So many are counted at once, so long after the first of them came into sight. */
const mostAtOnce = 20;
const gatherMs = 60;

export const everything: beckon.DecisionFilter = {
  kind: '',
  assumed: false,
  projectId: '',
  from: '',
  text: '',
};

export class Ledger {
  filter = $state.raw<beckon.DecisionFilter>(everything);
  rows = $state.raw<beckon.Question[]>([]);
  /** Undefined until the first page was read. */
  counts = $state.raw<beckon.DecisionCounts>();
  failed = $state(false);
  readonly led = new SvelteMap<string, beckon.Led>();
  /** What the following page begins after; empty at the end. */
  #next = '';
  /** Counts what was asked for: an answer to an earlier question is none. */
  #asked = 0;
  #reading = false;
  #wanted: string[] = [];
  #counting = false;

  /** Whether nothing is left out. */
  readonly whole = $derived(Object.values(this.filter).every((value) => !value));

  /** Reads the first page. */
  async read(): Promise<void> {
    const asked = ++this.#asked;
    this.#reading = true;
    try {
      const page = await api.decisions(this.filter, '');
      if (asked !== this.#asked) return;
      this.rows = page.rows;
      this.counts = page.counts;
      this.#next = page.next;
      this.failed = false;
    } catch {
      this.failed = asked === this.#asked;
    } finally {
      if (asked === this.#asked) this.#reading = false;
    }
  }

  /** Reads the following page, if there is one. */
  async more(): Promise<void> {
    if (this.#reading || this.#next === '') return;
    const asked = this.#asked;
    this.#reading = true;
    try {
      const page = await api.decisions(this.filter, this.#next);
      if (asked !== this.#asked) return;
      const had = new Set(this.rows.map(({ id }) => id));
      this.rows = [...this.rows, ...page.rows.filter(({ id }) => !had.has(id))];
      this.#next = page.next;
    } catch {
      this.failed = asked === this.#asked;
    } finally {
      if (asked === this.#asked) this.#reading = false;
    }
  }

  /** Has counted what a decision in sight led to, together with others; calls off with what it returns. */
  want(id: string): () => void {
    if (this.led.has(id)) return () => {};
    this.#wanted.push(id);
    if (!this.#counting) setTimeout(() => void this.#count(), gatherMs);
    this.#counting = true;
    return () => (this.#wanted = this.#wanted.filter((one) => one !== id));
  }

  async #count(): Promise<void> {
    while (this.#wanted.length > 0) {
      const ids = this.#wanted.splice(0, mostAtOnce);
      try {
        for (const led of await api.ledTo(ids)) this.led.set(led.id, led);
      } catch {
        break; // the rows say nothing then
      }
    }
    this.#counting = false;
  }
}
