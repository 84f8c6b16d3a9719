// What the person said, until Beckon has it. It is kept before it is sent, so
// that nothing is lost when the network or the computer is away; it waits a
// moment in which thumbs that slipped can take it back; and it leaves at most
// once at a time, so that nothing is said twice. Beckon takes only the first
// answer to a question, and a message only once by its id.

import type { Answered } from './types';

/** How long what was said can be taken back, in milliseconds. */
export const undoMs = 4000;

/** When less is left on the clock than this, an answer leaves at once. */
const shortMs = 5000;

/** Said is an answer or a message on its way. */
export interface Said {
  /** Of the question, or the message's own. */
  id: string;
  kind: 'answer' | 'message';
  path: string;
  body: unknown;
  /** The task's, for what is shown of it. */
  key: string;
  /** The answer in words. */
  words: string;
  /** When it was said, and from when on it may leave, by this device's clock. */
  at: number;
  due: number;
}

/** Outcome is what became of it. */
export type Outcome =
  | { is: 'sent' }
  | { is: 'away' }
  | { is: 'late'; settled: Answered | undefined; why: string }
  | { is: 'refused'; code: string; why: string };

/** Ports of the outbox. */
export interface Ports {
  read(): Said[];
  write(all: Said[]): void;
  post(said: Said): Promise<Outcome>;
  /** Runs alone among all the browser's pages of this kind. */
  alone(run: () => Promise<void>): Promise<void>;
  /** Called with what became of each that was tried. */
  over(said: Said, outcome: Outcome): void;
  now(): number;
  later(run: () => void, ms: number): void;
}

export class Outbox {
  #flushing: Promise<void> | undefined;
  #again = false;
  /** What is on the wire, and can no longer be taken back. */
  #sending = '';

  constructor(private readonly ports: Ports) {}

  /** Keeps what was said, and sends it when it can no longer be taken back. What was said before leaves now. */
  put(said: Omit<Said, 'at' | 'due'>, leftMs: number | null): void {
    const at = this.ports.now();
    const ms = leftMs !== null && leftMs < shortMs ? 0 : undoMs;
    const others = this.ports.read().filter((one) => one.id !== said.id);
    this.ports.write([...others.map((one) => ({ ...one, due: 0 })), { ...said, at, due: at + ms }]);
    if (others.length > 0 || ms === 0) void this.flush();
    if (ms > 0) this.ports.later(() => void this.flush(), ms);
  }

  /** Takes back what has not left; reports whether it was in time. */
  undo(id: string): boolean {
    const all = this.ports.read();
    if (this.#sending === id || !all.some((one) => one.id === id)) return false;
    this.ports.write(all.filter((one) => one.id !== id));
    return true;
  }

  /** Sends everything at once: the page is left, or begins again. */
  hurry(): Promise<void> {
    this.ports.write(this.ports.read().map((one) => ({ ...one, due: 0 })));
    return this.flush();
  }

  /** Sends what may leave, the oldest first, until Beckon is not reached. */
  flush(): Promise<void> {
    // What becomes due while the rest is on its way is seen by one more round.
    this.#again = true;
    this.#flushing ??= this.ports
      .alone(() => this.#rounds())
      .finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  async #rounds(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      if (!(await this.#round())) return;
    }
  }

  /** Reports whether Beckon was reached. */
  async #round(): Promise<boolean> {
    for (;;) {
      // Read again each time: another page, or the person, may have changed it.
      const next = this.ports.read().find((one) => one.due <= this.ports.now());
      if (next === undefined) return true;
      this.#sending = next.id;
      const outcome = await this.ports.post(next).finally(() => (this.#sending = ''));
      if (outcome.is !== 'away')
        this.ports.write(this.ports.read().filter((one) => one.id !== next.id));
      this.ports.over(next, outcome);
      if (outcome.is === 'away') return false;
    }
  }
}

/** outcomeOf judges a no of Beckon's. */
export function outcomeOf(no: {
  status: number;
  code: string;
  message: string;
  settled?: Answered | undefined;
}): Outcome {
  // The answer was taken, and only the word of it was lost on the way.
  if (no.status === 409 && no.settled?.mine && no.settled.settlement === 'answered')
    return { is: 'sent' };
  const open = no.settled?.settlement === 'open' || no.settled?.settlement === 'orphaned';
  if ((no.status === 409 || no.status === 404) && !open)
    return { is: 'late', settled: no.settled, why: no.message };
  return { is: 'refused', code: no.code, why: no.message };
}
