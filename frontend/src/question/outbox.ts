// Answers on their way. They leave in the moment of their key, unless the
// person asked for a moment in which to take one back.

/** When less is left on the clock than this, an answer leaves at once. */
const shortMs = 5000;

/**
 * SendState is where an answer is: still to be taken back, on the wire,
 * taken by the desk (and soon in a frame), not sent, or too late because the
 * question was settled by somebody else.
 */
export type SendState = 'undoable' | 'sending' | 'sent' | 'failed' | 'elsewhere';

/** Timer is what the outbox needs of the clock. */
export interface Timer {
  set(run: () => void, ms: number): number;
  clear(id: number): void;
}

/** Ports of the outbox: the wire, and what must know of changes. */
export interface Ports<A> {
  post(id: string, answer: A): Promise<void>;
  /** conflict tells an error that means "somebody else was first". */
  conflict(error: unknown): boolean;
  /** changed is called with the new state; undefined when there is none. */
  changed(id: string, state: SendState | undefined, error?: unknown): void;
  timer: Timer;
}

/** Outbox sends answers, each at most once at a time. */
export class Outbox<A> {
  #held = new Map<string, { answer: A; timer: number }>();
  #busy = new Set<string>();

  constructor(private readonly ports: Ports<A>) {}

  /** hold sends an answer after the time to take it back, 0 for none. leftMs is what is left on the question's clock. */
  hold(id: string, answer: A, leftMs: number | null, takeBackMs: number): void {
    this.flush();
    if (takeBackMs === 0 || (leftMs !== null && leftMs < shortMs)) {
      void this.send(id, answer);
      return;
    }
    const timer = this.ports.timer.set(() => this.flush(), takeBackMs);
    this.#held.set(id, { answer, timer });
    this.ports.changed(id, 'undoable');
  }

  /** undo takes a held answer back and reports whether it was in time. */
  undo(id: string): boolean {
    const held = this.#held.get(id);
    if (!held) return false;
    this.ports.timer.clear(held.timer);
    this.#held.delete(id);
    this.ports.changed(id, undefined);
    return true;
  }

  /** flush sends whatever is held, at once. */
  flush(): void {
    for (const [id, { answer, timer }] of [...this.#held]) {
      this.ports.timer.clear(timer);
      this.#held.delete(id);
      void this.send(id, answer);
    }
  }

  /** send sends an answer at once, and reports whether it was taken. */
  async send(id: string, answer: A): Promise<boolean> {
    if (this.#busy.has(id)) return false;
    for (const other of this.#held.keys()) if (other !== id) this.flush();
    this.undo(id);
    this.#busy.add(id);
    this.ports.changed(id, 'sending');
    try {
      await this.ports.post(id, answer);
      this.ports.changed(id, 'sent');
      return true;
    } catch (error) {
      this.ports.changed(id, this.ports.conflict(error) ? 'elsewhere' : 'failed', error);
      return false;
    } finally {
      this.#busy.delete(id);
    }
  }
}
