/**
 * Hands over what comes at a pace: at once, or together after a while. What
 * is only glanced at is redrawn less often than what is read.
 */
export class Pacer<T> {
  #show: (list: T[]) => void;
  #ms = 0;
  #held: T[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(show: (list: T[]) => void) {
    this.#show = show;
  }

  /** How many milliseconds things may be held; 0 hands them over as they come. */
  set ms(ms: number) {
    this.#ms = ms;
    if (ms === 0) this.flush();
  }

  take(list: T[]): void {
    if (this.#ms === 0) return this.#show(list);
    this.#held.push(...list);
    this.#timer ??= setTimeout(() => this.flush(), this.#ms);
  }

  /** Hands over what is held. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = [];
    if (held.length > 0) this.#show(held);
  }
}
