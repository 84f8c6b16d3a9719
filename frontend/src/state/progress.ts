import type { beckon } from '../bridge';

/** How long the row of a run may be held that has only got on. */
const heldMs = 100;

/**
 * Holds what only says how far a run has come. Of agents at work it is most of what comes,
 * and each row of a run has all be looked at again that shows any: those of a tenth of a
 * second go together. Whatever else a row says goes on at once.
 */
export class Progress {
  #run: (id: string) => beckon.Run | undefined;
  #show: (frame: beckon.Frame) => void;
  /** The frames whose rows are held, each with a run's last row, by the run's id. */
  #held = new Map<string, beckon.Frame>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: (id: string) => beckon.Run | undefined, show: (frame: beckon.Frame) => void) {
    this.#run = run;
    this.#show = show;
  }

  /** Returns a frame without what is held of it. */
  hold(frame: beckon.Frame): beckon.Frame {
    if (frame.whole) {
      this.#flush(); // it may be newer than the state, which was asked for before
      return frame;
    }
    const waits = (event: beckon.Event) =>
      event.run !== undefined && gotOn(this.#run(event.run.id), event.run);
    const held = frame.events.filter(waits);
    if (held.length === 0) return frame;
    for (const event of held) this.#held.set(event.run!.id, { ...frame, events: [event] });
    this.#timer ??= setTimeout(() => this.#flush(), heldMs);
    return { ...frame, events: frame.events.filter((event) => !held.includes(event)) };
  }

  /** Forgets what is held. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held.clear();
  }

  #flush(): void {
    const held = [...this.#held.values()];
    this.drop();
    for (const frame of held) this.#show(frame);
  }
}

/** Whether a run has only got on: all else of its row is as it was. */
function gotOn(before: beckon.Run | undefined, now: beckon.Run): boolean {
  return before !== undefined && still(before) === still(now);
}

function still(run: beckon.Run): string {
  return JSON.stringify({ ...run, activity: null, context: null, spent: null });
}
