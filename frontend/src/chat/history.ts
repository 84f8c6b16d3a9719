// What the user said to a task, for walking back through it.

import type { beckon } from '../bridge';

/** saidTo is what the user said and queued, the newest first, each once in a row. */
export function saidTo(entries: beckon.Entry[], queue: beckon.Message[]): string[] {
  const spoken = entries
    .filter((entry) => entry.kind === 'user' && entry.parent === '')
    .map((entry) => entry.text);
  const all = [...spoken, ...queue.map((message) => message.text)]
    .filter((text) => text.trim() !== '')
    .reverse();
  return all.filter((text, i) => text !== all[i - 1]);
}

/** Recall is a walk through what was said; -1 stands before the newest. */
export class Recall {
  #at = -1;
  #shown = '';

  /** Whether the text is the one that the walk shows. */
  on(text: string): boolean {
    return this.#at >= 0 && text === this.#shown;
  }

  /** Goes to the one said before; undefined where there is none. */
  older(said: string[]): string | undefined {
    return this.#show(said, this.#at + 1);
  }

  /** Goes to the one said after; an empty text after the newest. */
  newer(said: string[]): string | undefined {
    if (this.#at <= 0) {
      this.end();
      return '';
    }
    return this.#show(said, this.#at - 1);
  }

  /** Starts over with the next step. */
  end(): void {
    this.#at = -1;
    this.#shown = '';
  }

  #show(said: string[], at: number): string | undefined {
    const text = said[at];
    if (text === undefined) return undefined;
    this.#at = at;
    this.#shown = text;
    return text;
  }
}
