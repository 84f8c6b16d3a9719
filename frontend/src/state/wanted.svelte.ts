import { capOf, isCharacter, isEnter, type Pressed } from '../ui/caps';

/** How long a field that is to come is waited for since the last key, in milliseconds. */
const awaitedMs = 5000;

/** What takes the focus once it is there: the composer of a task, or the first field of a question. */
type Place = 'composer' | 'field';

/**
 * Wanted is the field that a key led to and that another screen shows, maybe a moment later. What
 * is typed meanwhile is its text, and no command of the screen that was.
 */
export class Wanted {
  #place = $state<Place>();
  #id = '';
  #since = 0;
  #typed = '';

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Asks for the composer of a task, or the first field of a question, by the id of that. */
  ask(place: Place, id: string): void {
    [this.#id, this.#since, this.#typed] = [id, this.now(), ''];
    this.#place = place;
  }

  is(place: Place, id: string): boolean {
    return this.#place === place && this.#id === id && !this.#over();
  }

  #over(): boolean {
    return this.now() - this.#since > awaitedMs;
  }

  /** Takes a key that was pressed before the field was there; reports whether it was one of its text. */
  type(event: Pressed): boolean {
    if (this.#place === undefined) return false;
    const cap = capOf(event);
    if (this.#over() || cap === 'Esc') {
      this.#place = undefined;
      return false;
    }
    this.#since = this.now();
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
