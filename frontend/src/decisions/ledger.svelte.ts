// The decisions that are shown: the pages that were read, and what each led to.

import { SvelteMap } from 'svelte/reactivity';
import { api, type beckon } from '../bridge';
import { away } from '../state';

/** So many are counted at once, so long after the first of them came into sight. */
const mostAtOnce = 20;
const gatherMs = 60;

export const everything: beckon.DecisionFilter = {
  kind: '',
  assumed: false,
  undone: false,
  projectId: '',
  taskId: '',
  from: '',
  text: '',
  since: 0,
  until: 0,
};

export class Ledger {
  filter = $state.raw<beckon.DecisionFilter>(everything);
  /** What was decided while nobody was here, what was assumed first; and how many those are. */
  gone = $state.raw<beckon.Question[]>([]);
  goneCounts = $state.raw<beckon.DecisionCounts>();
  /** What else was decided, the latest first. */
  readonly rest = $derived.by(() => {
    const gone = new Set(this.gone.map(({ id }) => id));
    return this.#listed.filter(({ id }) => !gone.has(id));
  });
  readonly rows = $derived([...this.gone, ...this.rest]);
  /** The other answers to those that were chosen differently later, by their ids. */
  readonly instead = new SvelteMap<string, beckon.Answer>();
  /** The pages that were read, without regard to who was here. */
  #listed = $state.raw<beckon.Question[]>([]);
  /** Undefined until the first page was read. */
  counts = $state.raw<beckon.DecisionCounts>();
  failed = $state(false);
  readonly led = new SvelteMap<string, beckon.Led>();
  /** The decision that an address names. */
  #named = $state.raw<beckon.Question>();
  /** What the following page begins after; empty at the end. */
  #next = '';
  /** Counts what was asked for: an answer to an earlier question is none. */
  #asked = 0;
  #reading = false;
  #wanted: string[] = [];
  /** The decisions in sight. */
  #sight = new Set<string>();
  /** The filter of the rows. */
  #read?: beckon.DecisionFilter;
  #counting = false;

  /** Whether nothing is left out. */
  readonly whole = $derived(Object.values(this.filter).every((value) => !value));

  /** Changes some of the filter. */
  narrow(by: Partial<beckon.DecisionFilter>): void {
    const next = { ...this.filter, ...by };
    if (JSON.stringify(next) !== JSON.stringify(this.filter)) this.filter = next;
  }

  /** Reads the decision that an address names, which may be far below. */
  async name(id: string): Promise<void> {
    if (id !== '') this.#named = (await api.decision(id)).question;
  }

  /** The decision with an id, if it was read; else the first one. */
  at(id: string): beckon.Question | undefined {
    const found = this.rows.find((row) => row.id === id);
    return found ?? (this.#named?.id === id ? this.#named : this.rows[0]);
  }

  /** Reads the first page. With the filter of the rows that are there, those below it stay. */
  async read(): Promise<void> {
    const asked = ++this.#asked;
    const filter = this.filter;
    const { stretch } = away;
    this.#reading = true;
    try {
      const [page, gone] = await Promise.all([
        api.decisions(filter, ''),
        stretch && api.decisions({ ...filter, ...stretch }, ''),
      ]);
      if (asked !== this.#asked) return;
      const below = this.#read === filter && page.next !== '' ? this.#below(page.rows) : [];
      this.#listed = [...page.rows, ...below];
      this.gone = gone?.rows ?? [];
      this.goneCounts = gone?.counts;
      this.instead.clear();
      this.#note(page, gone);
      this.counts = page.counts;
      if (below.length === 0) this.#next = page.next;
      this.#read = filter;
      this.failed = false;
      for (const id of this.#sight) this.#ask(id); // agents have worked on
    } catch {
      if (asked === this.#asked) this.failed = this.#read !== filter;
    } finally {
      if (asked === this.#asked) this.#reading = false;
    }
  }

  /** The rows below those of a first page. */
  #below(first: beckon.Question[]): beckon.Question[] {
    const last = first.at(-1);
    const had = new Set(first.map(({ id }) => id));
    return this.#listed.filter(
      ({ id, settled }) =>
        last !== undefined &&
        !had.has(id) &&
        (settled < last.settled || (settled === last.settled && id < last.id)),
    );
  }

  /** Reads the following page, if there is one; what cannot be read is asked for at the next call. */
  async more(): Promise<void> {
    if (this.#reading || this.#next === '') return;
    const asked = this.#asked;
    this.#reading = true;
    try {
      const page = await api.decisions(this.filter, this.#next);
      if (asked !== this.#asked) return;
      const had = new Set(this.#listed.map(({ id }) => id));
      this.#listed = [...this.#listed, ...page.rows.filter(({ id }) => !had.has(id))];
      this.#note(page);
      this.#next = page.next;
    } finally {
      if (asked === this.#asked) this.#reading = false;
    }
  }

  #note(...pages: (beckon.DecisionPage | undefined)[]): void {
    for (const page of pages)
      for (const [id, answer] of Object.entries(page?.instead ?? {})) this.instead.set(id, answer);
  }

  /** Has counted what a decision in sight led to, together with others; calls off with what it returns. */
  want(id: string): () => void {
    this.#sight.add(id);
    if (!this.led.has(id)) this.#ask(id);
    return () => {
      this.#sight.delete(id);
      this.#wanted = this.#wanted.filter((one) => one !== id);
    };
  }

  #ask(id: string): void {
    if (!this.#wanted.includes(id)) this.#wanted.push(id);
    if (!this.#counting) setTimeout(() => void this.#count(), gatherMs);
    this.#counting = true;
  }

  async #count(): Promise<void> {
    while (this.#wanted.length > 0) {
      const ids = this.#wanted.splice(0, mostAtOnce);
      try {
        for (const led of await api.ledTo(ids)) this.led.set(led.id, led);
      } catch {
        break; // the rows say nothing then, until decisions are read again
      }
    }
    this.#counting = false;
  }
}
