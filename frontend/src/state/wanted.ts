import { capOf, isCharacter, isEnter, type Pressed } from '../ui/caps';

/** How long what is typed is kept for a field that is to come, in milliseconds. */
const awaitedMs = 2000;

/** What takes the focus once it is there: the composer of a task, or the first field of a question. */
type Place = 'composer' | 'field';

/**
 * Wanted is the field that a key led to and that another screen shows, maybe a moment later. What
 * is typed meanwhile is its text, and no command of the screen that was.
 */
export class Wanted {
  #place: Place | undefined;
  #id = '';
  #since = 0;
  #typed = '';

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Asks for the composer of a task, or the first field of a question, by the id of that. */
  ask(place: Place, id: string): void {
    [this.#place, this.#id, this.#since, this.#typed] = [place, id, this.now(), ''];
  }

  is(place: Place, id: string): boolean {
    return this.#place === place && this.#id === id;
  }

  /** Takes a key that was pressed before the field was there; reports whether it was one of its text. */
  type(event: Pressed): boolean {
    if (this.#place === undefined) return false;
    const cap = capOf(event);
    if (this.now() - this.#since > awaitedMs || cap === 'Esc') {
      this.#place = undefined;
      return false;
    }
    if (isCharacter(cap) || cap === 'Space') this.#typed += event.key;
    else if (cap === 'Backspace') this.#typed = this.#typed.slice(0, -1);
    else return isEnter(event);
    return true;
  }

  /** Gives the field that has the focus by now what was typed. */
  give(field: Element | null): void {
    const typed = this.#place === undefined ? '' : this.#typed;
    this.#place = undefined;
    if (typed === '') return;
    if (!(field instanceof HTMLTextAreaElement) && !(field instanceof HTMLInputElement)) return;
    field.value += typed;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, data: typed }));
  }
}

export const wanted = new Wanted();
