import { SvelteMap } from 'svelte/reactivity';

/** How long typing must rest before it goes to Beckon, in milliseconds. */
const restMs = 600;

/**
 * What is typed and not sent, by id: in the page's own storage at once, and
 * soon after with Beckon, for other windows and for later.
 */
export class DraftStore {
  /** What Beckon keeps. */
  #kept = new SvelteMap<string, string>();
  #timers = new Map<string, number>();

  /** `save` gives Beckon a text; it is asked for the latest one when typing rests. */
  constructor(
    private readonly prefix: string,
    private readonly save: (id: string) => Promise<void>,
  ) {
    // What is typed last must not wait for a rest that never comes.
    addEventListener('pagehide', () => this.flush());
    document.addEventListener('visibilitychange', () => document.hidden && this.flush());
  }

  /** Takes what Beckon keeps. */
  load(kept: Iterable<{ id: string; text: string }>): void {
    for (const { id, text } of kept) this.#kept.set(id, text);
  }

  /** What the page itself stored; null for nothing. */
  stored(id: string): string | null {
    try {
      return sessionStorage.getItem(this.prefix + id);
    } catch {
      return null;
    }
  }

  /** What Beckon kept when it was asked; null for nothing. */
  kept(id: string): string | null {
    return this.#kept.get(id) ?? null;
  }

  /** Stores a text and has it saved when typing rests. */
  set(id: string, text: string): void {
    this.#store(id, text);
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      window.setTimeout(() => this.#saveNow(id), restMs),
    );
  }

  /** Forgets a text, here and with Beckon; `begun` tells that there was one elsewhere. */
  drop(id: string, begun = false): void {
    const known = begun || this.#kept.has(id) || this.stored(id) !== null;
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#kept.delete(id);
    this.#store(id, '');
    if (known) void this.save(id).catch(() => {});
  }

  /** Saves what has not been saved yet: all of it, or one. */
  flush(only?: string): void {
    for (const id of [...this.#timers.keys()])
      if (only === undefined || only === id) this.#saveNow(id);
  }

  #saveNow(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    void this.save(id).catch(() => {}); // the page's own copy is left
  }

  #store(id: string, text: string): void {
    try {
      if (text === '') sessionStorage.removeItem(this.prefix + id);
      else sessionStorage.setItem(this.prefix + id, text);
    } catch {
      // The storage is full or forbidden: memory and Beckon keep the text.
    }
  }
}
