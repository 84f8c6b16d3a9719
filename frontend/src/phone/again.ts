// When to try again to reach Beckon: soon at first, then seldom, and at once
// when there is a reason to think that it is back.

const waits = [1, 2, 4, 8, 15, 30];

/** waitOf is how long to wait before try number n, from 0, in milliseconds. */
export function waitOf(n: number): number {
  return 1000 * waits[Math.min(n, waits.length - 1)]!;
}

/** How long all must have been well before a loss counts as the first, in milliseconds. */
const wellMs = 20_000;

/** Again calls `run` until it hears that all is well. */
export class Again {
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wellSince = 0;

  constructor(private readonly run: () => void) {}

  well(): void {
    this.stop();
    this.#wellSince = Date.now();
  }

  later(): void {
    this.stop();
    // What comes and goes each second is not asked each second.
    if (this.#wellSince > 0 && Date.now() - this.#wellSince >= wellMs) this.#tries = 0;
    this.#wellSince = 0;
    this.#timer = setTimeout(() => this.run(), waitOf(this.#tries++));
  }

  /** Tries now, and seldom only after that. */
  soon(): void {
    this.stop();
    this.#tries = 0;
    this.run();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
