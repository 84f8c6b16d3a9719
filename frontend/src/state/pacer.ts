/** What one who glances can take in at once; of more, less often is as good. */
const takenIn = 12;
/** How many times as long things are held in a flood. */
const longest = 3;

/** What holds things for a while, and how many. */
interface Holder {
  readonly holds: number;
  flush(): void;
}

/**
 * The frames of several pacers. One that holds much has a frame of its own, so that none
 * takes long; those that hold little share one, since each frame costs more than what is in it.
 */
export class Turns {
  #next = -Infinity;
  #holding = new Set<Holder>();

  /** Takes the turn, or tells in how many milliseconds there may be one. */
  take(): number {
    const now = performance.now();
    if (now < this.#next) return this.#next - now;
    this.#next = now + 20;
    return 0;
  }

  /** Notes whether a pacer holds anything. */
  note(pacer: Holder, holds: boolean): void {
    if (holds) this.#holding.add(pacer);
    else this.#holding.delete(pacer);
  }

  /** Hands over what others hold, as long as it is no more in all than there is room for. */
  share(room: number): void {
    for (const pacer of [...this.#holding].sort((a, b) => a.holds - b.holds)) {
      room -= pacer.holds;
      if (room < 0) return;
      pacer.flush();
    }
  }
}

/**
 * Hands over what comes at a pace: at once, or together after a while, which is
 * longer the more comes. What is only glanced at is redrawn less often than what is read.
 */
export class Pacer<T> implements Holder {
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
    this.#turns.note(this, true);
    this.#timer ??= setTimeout(() => this.#due(), this.#ms * this.#times);
  }

  /** Hands over what is held once it is this one's turn. */
  #due(): void {
    const wait = this.#turns.take();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#due(), wait);
      return;
    }
    this.#times = Math.min(longest, Math.max(1, this.holds / this.#times / takenIn));
    const room = takenIn - this.holds;
    this.flush();
    this.#turns.share(room);
  }

  /** How many things are held. */
  get holds(): number {
    return this.#held.length;
  }

  /** Hands over what is held. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = [];
    this.#turns.note(this, false);
    if (held.length > 0) this.#show(held);
  }
}
