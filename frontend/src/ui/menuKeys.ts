import { capOf } from './caps';

/** How long a pause begins another word, in milliseconds. */
const wordMs = 600;

/**
 * The keys of a menu, as in WAI-ARIA's pattern: arrows, Home and End go from
 * item to item, letters to the one that begins with them, Tab and Esc leave.
 */
export class MenuKeys {
  #typed = '';
  #last = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Takes a key in an open menu. */
  press(event: KeyboardEvent, items: HTMLElement[], close: () => void): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Tab') return close(); // with the focus on the button, from where Tab goes on
    if (capOf(event) === 'Esc') close();
    else if (event.key.length === 1 && (event.key !== ' ' || this.#typing()))
      items[this.#find(event.key, items, at)]?.focus();
    else {
      const to = {
        ArrowDown: at + 1,
        ArrowUp: at < 0 ? -1 : at - 1,
        Home: 0,
        End: items.length - 1,
      }[event.key];
      if (to === undefined) return;
      items[(to + items.length) % items.length]?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Where the next item is that begins with what was typed; the same letter again goes on. */
  #find(letter: string, items: HTMLElement[], at: number): number {
    this.#typed = (this.#typing() ? this.#typed : '') + letter.toLowerCase();
    this.#last = this.now();
    const same = [...this.#typed].every((one) => one === this.#typed[0]);
    const word = same ? this.#typed[0]! : this.#typed;
    const from = same ? at + 1 : Math.max(at, 0);
    const order = items.map((_, i) => (from + i) % items.length);
    return order.find((i) => items[i]!.textContent.trim().toLowerCase().startsWith(word)) ?? at;
  }

  #typing(): boolean {
    return this.#typed !== '' && this.now() - this.#last < wordMs;
  }
}

/** Whether a key on a closed menu's button opens it; at its last item for ArrowUp. */
export function opensMenu(event: KeyboardEvent): 'first' | 'last' | undefined {
  if (event.key === 'ArrowDown') return 'first';
  return event.key === 'ArrowUp' ? 'last' : undefined;
}
