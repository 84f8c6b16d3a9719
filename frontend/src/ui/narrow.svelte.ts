import { innerHeight, innerWidth } from 'svelte/reactivity/window';

/** The text that limits are drawn for, in pixels. */
export const drawnText = 13;
const leastWidth = 800;
const leastHeight = 520;

/** A length, in pixels, as it is beside text of the drawn size, where it is `textSize` (0 is the drawn one). */
export function drawn(length: number, textSize: number): number {
  return (length * drawnText) / (textSize || drawnText);
}

/** Whether the window has room for one thing at a time, at the text size that somebody chose (0 is the drawn one). */
export class Narrow {
  #text: () => number;

  constructor(text: () => number) {
    this.#text = text;
  }

  readonly current = $derived.by(() => {
    const text = this.#text();
    return (
      drawn(innerWidth.current ?? leastWidth, text) < leastWidth ||
      drawn(innerHeight.current ?? leastHeight, text) < leastHeight
    );
  });
}
