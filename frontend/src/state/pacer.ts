/** What one who glances can take in at once; of more, less often is as good. */
const takenIn = 12;
/** How many times as long things are held in a flood. */
const longest = 3;

/** Gives each of several pacers that are due at once a frame of its own. */
export class Turns {
  #next = -Infinity;

  /** Takes the turn, or tells in how many milliseconds there may be one. */
  take(): number {
    const now = performance.now();
    if (now < this.#next) return this.#next - now;
    this.#next = now + 20;
    return 0;
  }
}

/**
 * Hands over what comes at a pace: at once, or together after a while, which is
 * longer the more comes. What is only glanced at is redrawn less often than what is read.
 */
export class Pacer<T> {
  #show: (list: T[]) => void;
  #turns: Turns;
  #ms = 0;
  #held: T[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How many times as long things are held as `ms` says. */
  #times = 1;

  constructor(show: (list: T[]) => void, turns = new Turns()) {
    this.#show = show;
    this.#turns = turns;
  }

  /** How many milliseconds things may be held, three times that in a flood; 0 hands them over as they come. */
  set ms(ms: number) {
    this.#ms = ms;
    this.#times = 1;
    if (ms === 0) this.flush();
  }

  take(list: T[]): void {
    if (this.#ms === 0) return this.#show(list);
    this.#held.push(...list);
    this.#timer ??= setTimeout(() => this.#due(), this.#ms * this.#times);
  }

  /** Hands over what is held once it is this one's turn. */
  #due(): void {
    const wait = this.#turns.take();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#due(), wait);
      return;
    }
    this.#times = Math.min(longest, Math.max(1, this.#held.length / this.#times / takenIn));
    this.flush();
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
