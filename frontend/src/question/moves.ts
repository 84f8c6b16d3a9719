// Whether a question came under the person's fingers on its own, or because
// they went to it. Only the first arms a card's debounce.

import { capOf } from '../ui/caps';

/** A move leads to what is shown within so many milliseconds. */
const leadsForMs = 1000;
/** What one move shows appears within so many milliseconds of the first of it. */
const togetherMs = 60;

/** Keys that go somewhere, whatever is held besides Mod. */
const goes = new Set([
  'J',
  'K',
  'G',
  'I',
  'M',
  'L',
  'Tab',
  'Esc',
  '↑',
  '↓',
  '←',
  '→',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  'Space',
]);

/** Moves remembers the last thing that the person did, if it was to go somewhere. */
export class Moves {
  #at = -Infinity;
  #led = Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes what the person did; all but a move, such as an answer, forgets the one before. */
  note(moved: boolean): void {
    this.#at = moved ? this.now() : -Infinity;
    this.#led = Infinity;
  }

  /** Reports whether what is shown now is shown because the person moved. One move leads to one place. */
  led(): boolean {
    const now = this.now();
    if (now - this.#at > leadsForMs || now - this.#led > togetherMs) return false;
    this.#led = Math.min(this.#led, now);
    return true;
  }
}

/** Keys that go somewhere after G alone, and do something else on their own. */
const goesAfterG = new Set(['B']);

/** isMove reports whether a key or a press of the pointer goes somewhere; `before` is the key that was pressed before it. */
export function isMove(event: Event, before = ''): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (event.type === 'pointerdown') return target?.closest('.ask, .picks') == null;
  const pressed = event as KeyboardEvent;
  if (pressed.ctrlKey || pressed.metaKey) return /^[j1-9]$/i.test(pressed.key);
  const key = capOf(pressed).split(' ').at(-1)!;
  return (
    goes.has(key) ||
    (before === 'G' && goesAfterG.has(key)) ||
    (key === 'Enter' && target?.closest('a') != null)
  );
}

/** The page's one; it hears what the person does before anything else. */
export const moves = new Moves();

if (typeof addEventListener === 'function') {
  let before = '';
  const heard = (event: Event) => {
    if (['Shift', 'Control', 'Alt', 'Meta'].includes((event as KeyboardEvent).key)) return;
    moves.note(isMove(event, before));
    before = event instanceof KeyboardEvent ? capOf(event) : '';
  };
  addEventListener('keydown', heard, { capture: true, passive: true });
  addEventListener('pointerdown', heard, { capture: true, passive: true });
}
