import type * as Engine from './engine';
import { plain, readDisplay, sameDisplay, type Display } from './display';
import type { Filter } from './query';

const none: Filter = [];
/** Where the page keeps how boards are displayed. */
const kept = 'beckon.display';

function readKept(): Record<string, Display> {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(localStorage.getItem(kept) ?? '{}') as object).map(([board, display]) => [board, readDisplay(display)]));
  } catch {
    return {}; // what cannot be read is as if nobody had changed it
  }
}

/**
 * How each board is looked at. What filters is fetched after the first board
 * is shown, so this is all that the page begins with.
 */
class Looks {
  /** What filters, once it was fetched. */
  engine = $state.raw<typeof Engine>();
  /** The board whose filter line is open. */
  #open = $state('');
  /** Counts the presses that put the caret into the line. */
  calls = $state(0);
  #filters = $state.raw<Readonly<Record<string, Filter>>>({});

  #displays = $state.raw<Readonly<Record<string, Display>>>(readKept());
  /** The board whose display is being changed. */
  displaying = $state('');

  displayOf(board: string): Display {
    return this.#displays[board] ?? plain;
  }

  setDisplay(board: string, display: Display): void {
    const next = { ...this.#displays, [board]: display };
    if (sameDisplay(display, plain)) delete next[board];
    this.#displays = next;
    localStorage.setItem(kept, JSON.stringify(this.#displays));
  }

  /** Opens how a board is displayed, or closes it. */
  async toggleDisplay(board: string): Promise<void> {
    await this.fetch();
    this.displaying = this.displaying === board ? '' : board;
  }

  filterOf(board: string): Filter {
    return this.#filters[board] ?? none;
  }

  setFilter(board: string, filter: Filter): void {
    this.#filters = { ...this.#filters, [board]: filter };
  }

  /** Whether a board has its filter line: opened, or with conditions in it. */
  shows(board: string): boolean {
    return this.engine !== undefined && (this.#open === board || this.filterOf(board).length > 0);
  }

  /** Opens a board's filter line and puts the caret into it. */
  async open(board: string): Promise<void> {
    if (this.engine === undefined) addEventListener('keydown', this.#keep, true);
    await this.fetch().finally(() => removeEventListener('keydown', this.#keep, true));
    this.#open = board;
    this.calls++;
  }

  /** What was typed before there was a line to type it into. */
  take(): string {
    const early = this.#early;
    this.#early = '';
    return early;
  }

  #early = '';
  /** Keys that are typed after F are meant for the line, and not for the cards. */
  #keep = (event: KeyboardEvent) => {
    if ((event.key.length !== 1 && event.key !== 'Enter') || event.ctrlKey || event.metaKey) return;
    this.#early += event.key === 'Enter' ? '\n' : event.key;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Takes a board's conditions away; returns whether there were any. */
  clear(board: string): boolean {
    const some = this.filterOf(board).length > 0;
    if (some) this.setFilter(board, none);
    this.close();
    return some;
  }

  close(): void {
    this.#open = '';
  }

  async fetch(): Promise<void> {
    this.engine ??= await import('./engine');
  }
}

/** The page's one. */
export const looks = new Looks();
