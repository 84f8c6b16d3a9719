// Clocks that are held: by hand, and once for each question by writing.

import { api, type beckon } from '../bridge';
import { attempt } from '../state';
import { leftMs } from './clock';

class Holding {
  #byWriting = new Set<string>();
  /** The question whose clock was held because somebody began to write. */
  written = $state('');

  /** Holds the clock, or lets it go on. */
  toggle(q: beckon.Question): void {
    // Who lets it go on while writing means it.
    this.#byWriting.add(q.id);
    this.written = '';
    void attempt(() => api.holdQuestion(q.id, q.heldMs === 0));
  }

  /** Holds a clock that runs, the first time that somebody writes an answer. */
  write(q: beckon.Question): void {
    if (
      q.settlement !== 'open' ||
      q.heldMs > 0 ||
      leftMs(q, 0) === null ||
      this.#byWriting.has(q.id)
    )
      return;
    this.#byWriting.add(q.id);
    this.written = q.id;
    void attempt(() => api.holdQuestion(q.id, true));
  }
}

/** The page's hand on the clocks. */
export const holding = new Holding();
