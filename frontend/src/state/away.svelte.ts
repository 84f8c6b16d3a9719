// Since when the person was away from this page last, and until when.

const kept = 'beckon.away';
/** So long without a key, a press or a move of the pointer one is away. */
const awayMs = 60 * 60_000;
/** That somebody is there is written down so often at most. */
const noteMs = 60_000;

/** A stretch of time, in Unix milliseconds. */
export interface Stretch {
  since: number;
  until: number;
}

interface Kept {
  /** When somebody was there last; 0 where that is not known. */
  last: number;
  /** The last stretch without anybody, until it was seen what came of it. */
  away?: Stretch;
}

function read(): Kept {
  try {
    const { last, away } = JSON.parse(localStorage.getItem(kept) ?? '{}') as Partial<Kept>;
    return { last: Number(last) || 0, ...(away?.since && away.until ? { away } : {}) };
  } catch {
    return { last: 0 };
  }
}

class Away {
  #kept = read();
  #stretch = $state.raw(this.#kept.away);

  /** The last stretch without anybody; undefined for none, or once it was seen. */
  get stretch(): Stretch | undefined {
    return this.#stretch;
  }

  /** Notes that somebody is there, at a time. */
  attend(now: number): void {
    const { last } = this.#kept;
    if (now >= last && now - last < noteMs) return;
    if (last > 0 && now - last >= awayMs)
      this.#stretch = { since: this.#stretch?.since ?? last, until: now };
    this.#keep(now);
  }

  /** Forgets the stretch: what came of it was seen. */
  seen(): void {
    this.#stretch = undefined;
    this.#keep(this.#kept.last);
  }

  /** Listens for somebody; returns what ends that. */
  watch(): () => void {
    const attend = () => this.attend(Date.now());
    const options = { capture: true, passive: true };
    const kinds = ['pointermove', 'pointerdown', 'wheel', 'keydown'];
    for (const kind of kinds) addEventListener(kind, attend, options);
    return () => kinds.forEach((kind) => removeEventListener(kind, attend, options));
  }

  #keep(last: number): void {
    this.#kept = { last, ...(this.#stretch ? { away: this.#stretch } : {}) };
    try {
      localStorage.setItem(kept, JSON.stringify(this.#kept));
    } catch {
      // The next start then does not know since when.
    }
  }
}

export const away = new Away();
