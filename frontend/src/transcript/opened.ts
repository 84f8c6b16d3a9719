// Which tools, thoughts and long texts the reader has opened. Rows come and
// go while one scrolls, so they cannot remember it themselves.

import { getContext, setContext } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';

const name = Symbol('opened');

/** Opened holds the ids of what the reader turned: what was closed is open, what was open is closed. */
export type Opened = SvelteSet<string>;

/** provideOpened gives the rows below a place to remember. */
export function provideOpened(): Opened {
  return setContext(name, new SvelteSet<string>());
}

/** theOpened is what the transcript above provides. */
export function theOpened(): Opened {
  return getContext<Opened>(name);
}

/** isOpen reports whether something is open that is so, or not, on its own. */
export function isOpen(opened: Opened, id: string, byItself = false): boolean {
  return opened.has(id) !== byItself;
}

/** open opens what is closed. */
export function open(opened: Opened, id: string, byItself = false): void {
  if (!isOpen(opened, id, byItself)) flip(opened, id);
}

/** flip opens what is closed, and the reverse. */
export function flip(opened: Opened, id: string): void {
  if (!opened.delete(id)) opened.add(id);
}
