import type { beckon } from '../bridge';

/** The sizes of a terminal on their way to its shell: one call at a time, then the newest. */
export class Sizes {
  #sent = '';
  #next: beckon.TerminalSize | undefined;
  #sending = false;

  constructor(private readonly resize: (size: beckon.TerminalSize) => Promise<unknown>) {}

  /** Tells the shell a size that it does not have. One that did not get there goes with the next call. */
  async set(size: beckon.TerminalSize): Promise<void> {
    this.#next = size;
    if (this.#sending) return;
    this.#sending = true;
    while (this.#next) {
      const { cols, rows } = this.#next;
      this.#next = undefined;
      if (this.#sent === `${cols}x${rows}`) continue;
      this.#sent = `${cols}x${rows}`;
      try {
        await this.resize({ cols, rows });
      } catch {
        this.#sent = '';
      }
    }
    this.#sending = false;
  }
}
