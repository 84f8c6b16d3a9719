// What goes to a terminal and comes from it: read a piece at a time, each when the one before is
// drawn, and typed in order.
import type { beckon } from '../bridge';

/** How a terminal is reached. */
export interface Line {
  output(from: number): Promise<beckon.TerminalOutput>;
  type(text: string): Promise<unknown>;
  /** Draws what was printed; settles once that is done. */
  draw(bytes: Uint8Array): Promise<void>;
  /** What was typed did not get there. */
  failed(error: unknown): void;
}

/** At most so much goes with one call, in characters; what is pasted may be longer. */
const typedMost = 16_000;

export class Stream {
  #next = 0;
  #reading = false;
  #again = false;
  #typed = '';
  #typing = false;
  #closed = false;
  /** How much was printed when the page came; undefined until it knows. */
  #before: number | undefined;
  /** What was printed before the page came is drawn, and answers nothing. */
  replaying: boolean;

  constructor(
    private readonly line: Line,
    /** Whether this page opened the terminal, so that no other has answered it. */
    fresh: boolean,
  ) {
    this.replaying = !fresh;
  }

  /** Reads all that there is. */
  async follow(): Promise<void> {
    this.#again = true;
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        await this.#readAll();
      }
    } catch {
      // The terminal is closed, or the link is lost: the state that comes with it says so.
    } finally {
      this.#reading = false;
    }
  }

  async #readAll(): Promise<void> {
    for (let more = true; more && !this.#closed;) {
      const out = await this.line.output(this.#next);
      if (this.#closed) return;
      this.#next = out.next;
      more = out.more;
      const before = (this.#before ??= out.end);
      if (out.data !== '') await this.line.draw(bytesOf(out.data));
      if (out.next >= before) this.replaying = false;
    }
  }

  /** Types text behind what was typed before. */
  async type(text: string): Promise<void> {
    if (this.#closed) return;
    this.#typed += text;
    if (this.#typing) return;
    this.#typing = true;
    while (this.#typed !== '' && !this.#closed) {
      const piece = pieceOf(this.#typed);
      this.#typed = this.#typed.slice(piece.length);
      try {
        await this.line.type(piece);
      } catch (error) {
        this.#typed = ''; // what comes after it would be another command
        this.line.failed(error);
      }
    }
    this.#typing = false;
  }

  close(): void {
    this.#closed = true;
  }
}

/** The first part of a text, which ends with no half of a character. */
export function pieceOf(text: string): string {
  const piece = text.slice(0, typedMost);
  return piece.length < text.length && /[\ud800-\udbff]$/.test(piece) ? piece.slice(0, -1) : piece;
}

/** The bytes of a text in base64. */
export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}
