// What an own select can choose, for those who choose without opening it: the palette.

export interface Choice<V extends string = string> {
  value: V;
  label: string;
  /** A second line in the list. */
  note?: string | undefined;
  /** It cannot be chosen. */
  off?: boolean | undefined;
}

export interface Chooser {
  choices: () => readonly Choice[];
  value: () => string;
  choose: (value: string) => void;
}

const choosers = new WeakMap<Element, Chooser>();

/** Makes what a button chooses known, as long as it is on the page. */
export function offersChoices(chooser: Chooser): (button: Element) => () => void {
  return (button) => {
    choosers.set(button, chooser);
    return () => void choosers.delete(button);
  };
}

/** What a button chooses; undefined of one that is no select. */
export function chooserOf(button: Element): Chooser | undefined {
  return choosers.get(button);
}

/** The next choice that is on, from one on by a step; the same where there is none. */
export function nextChoice(choices: readonly Choice[], from: number, by: 1 | -1): number {
  for (let at = from + by; at >= 0 && at < choices.length; at += by)
    if (!choices[at]!.off) return at;
  return from;
}

/** How long a pause begins another word, in milliseconds. */
const wordMs = 600;

/** Finds the choice that begins with what is typed; the same letter again goes on to the next. */
export class TypeAhead {
  #typed = '';
  #last = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Begins another word. */
  clear(): void {
    this.#typed = '';
  }

  /** Whether a word is being typed, so that a space belongs to it. */
  get typing(): boolean {
    return this.#typed !== '' && this.now() - this.#last < wordMs;
  }

  /** Where it is, from where it was marked; that where nothing begins so. */
  find(letter: string, labels: readonly string[], at: number): number {
    this.#typed = (this.typing ? this.#typed : '') + letter.toLowerCase();
    this.#last = this.now();
    const same = [...this.#typed].every((one) => one === this.#typed[0]);
    const word = same ? this.#typed[0]! : this.#typed;
    const from = same ? at + 1 : Math.max(at, 0);
    const order = labels.map((_, i) => (from + i) % labels.length);
    return order.find((i) => labels[i]!.trim().toLowerCase().startsWith(word)) ?? at;
  }
}
