import { capOf } from './caps';
import { TypeAhead } from './choosing';

/**
 * The keys of a menu, as in WAI-ARIA's pattern: arrows, Home and End go from
 * item to item, letters to the one that begins with them, Tab and Esc leave.
 */
export class MenuKeys {
  #word: TypeAhead;

  constructor(now?: () => number) {
    this.#word = new TypeAhead(now);
  }

  /** Takes a key in an open menu. */
  press(event: KeyboardEvent, items: HTMLElement[], close: () => void): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Tab') return close(); // with the focus on the button, from where Tab goes on
    if (capOf(event) === 'Esc') close();
    else if (event.key.length === 1 && (event.key !== ' ' || this.#word.typing))
      items[
        this.#word.find(
          event.key,
          items.map((item) => item.textContent),
          at,
        )
      ]?.focus();
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
}

/** Whether a key on a closed menu's button opens it; at its last item for ArrowUp. */
export function opensMenu(event: KeyboardEvent): 'first' | 'last' | undefined {
  if (event.key === 'ArrowDown') return 'first';
  return event.key === 'ArrowUp' ? 'last' : undefined;
}
