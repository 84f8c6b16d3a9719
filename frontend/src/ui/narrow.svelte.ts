import { innerHeight, innerWidth } from 'svelte/reactivity/window';

/** The text that limits are drawn for, in pixels. */
export const drawnText = 13;
const leastWidth = 800;
const leastHeight = 520;

/** Whether the window has room for one thing at a time, at the text size that somebody chose (0 is the drawn one). */
export class Narrow {
  #text: () => number;

  constructor(text: () => number) {
    this.#text = text;
  }

  readonly current = $derived.by(() => {
    const scale = drawnText / (this.#text() || drawnText);
    return (innerWidth.current ?? leastWidth) * scale < leastWidth || (innerHeight.current ?? leastHeight) * scale < leastHeight;
  });
}
