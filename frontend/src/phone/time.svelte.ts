// Beckon's clock, as well as this device can know it: clocks of phones are off
// by minutes, and questions end by Beckon's.

/** Time is a clock that is set by another. */
export class Time {
  #ahead = $state(0);
  #here = $state(Date.now());

  /** What Beckon's clock shows now, to the second. */
  readonly now = $derived(this.#here + this.#ahead);

  /** Sets it by a moment that Beckon has just told. */
  set(there: number, here = Date.now()): void {
    this.#here = here;
    this.#ahead = there - here;
  }

  tick(here = Date.now()): void {
    this.#here = here;
  }

  /** Ticks while somebody can see it. */
  follow(): () => void {
    const timer = setInterval(() => document.hidden || this.tick(), 1000);
    const seen = () => document.hidden || this.tick();
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }
}

export const time = new Time();
