// A card that has just taken another's place ignores keys for a moment, so
// that a double press never answers the question after the one it meant.

/** How long keys that choose do nothing, in milliseconds. */
export const debounceMs = 400;

/** How long Enter does nothing: it is pressed by habit (docs/SECURITY.md S22). */
export const enterDebounceMs = 500;

/** Debounce knows since when a question is shown. */
export class Debounce {
  #shown = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** arm is called when a question appears or takes another's place. */
  arm(): void {
    this.#shown = this.now();
  }

  /** allows reports whether a key may do something yet. */
  allows(key: string): boolean {
    return this.now() - this.#shown >= (key === 'Enter' ? enterDebounceMs : debounceMs);
  }
}
