import type { beckon } from '../bridge';
import { store } from '../state';
import type * as Engine from './engine';
import { plain, readDisplay, sameDisplay, type Display } from './display';
import { same, type Clause, type Filter } from './query';
import { keepKeys } from '../ui/early';

const none: Filter = [];
/** Where the page keeps how boards are displayed. */
const kept = 'beckon.display';

function readKept(): Record<string, Display> {
  try {
    return Object.fromEntries(
      Object.entries(JSON.parse(localStorage.getItem(kept) ?? '{}') as object).map(
        ([board, display]) => [board, readDisplay(display)],
      ),
    );
  } catch {
    return {}; // what cannot be read is as if nobody had changed it
  }
}

/** What is asked about a view, or a board that becomes one: its name, or whether it is to go. */
export interface Asked {
  what: 'save' | 'rename' | 'delete';
  board: string;
}

/** By which the board of a saved view is known. */
export const viewBoard = (id: string) => `view/${id}`;
/** By which the board of a project is known, or of all. */
export const projectBoard = (project: beckon.Project | undefined) => project?.id ?? 'all';
export const isView = (board: string) => board.startsWith(viewBoard(''));

/**
 * How each board is looked at. What filters is fetched after the first board
 * is shown, so this is all that the page begins with.
 *
 * A saved view is a board of its own: what is changed there is an edit of the
 * view, until it is saved or left.
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
  asking = $state.raw<Asked | undefined>();
  readonly #saved = $derived(
    new Map(
      store.views.map((view) => [
        viewBoard(view.id),
        { ...view, display: readDisplay(view.display) },
      ]),
    ),
  );

  /** The saved view that a board is. */
  viewOf(board: string): (beckon.View & { display: Display }) | undefined {
    return this.#saved.get(board);
  }

  /** Whether a view is looked at otherwise than it was saved. */
  edited(board: string): boolean {
    const view = this.viewOf(board);
    return (
      view !== undefined &&
      !(
        same(this.filterOf(board), view.clauses) && sameDisplay(this.displayOf(board), view.display)
      )
    );
  }

  /** Forgets what was changed on a view and not saved. */
  leave(board: string): void {
    if (!this.viewOf(board)) return;
    this.#filters = without(this.#filters, board);
    this.#displays = without(this.#displays, board);
  }

  displayOf(board: string): Display {
    return this.#displays[board] ?? this.viewOf(board)?.display ?? plain;
  }

  setDisplay(board: string, display: Display): void {
    const saved = this.viewOf(board);
    this.#displays =
      !saved && sameDisplay(display, plain)
        ? without(this.#displays, board)
        : { ...this.#displays, [board]: display };
    if (!saved)
      localStorage.setItem(
        kept,
        JSON.stringify(
          Object.fromEntries(Object.entries(this.#displays).filter(([one]) => !this.viewOf(one))),
        ),
      );
  }

  /** Opens how a board is displayed, or closes it. */
  async toggleDisplay(board: string): Promise<void> {
    await this.fetch();
    this.displaying = this.displaying === board ? '' : board;
  }

  filterOf(board: string): Filter {
    return this.#filters[board] ?? this.viewOf(board)?.clauses ?? none;
  }

  setFilter(board: string, filter: Filter): void {
    this.#filters = { ...this.#filters, [board]: filter };
  }

  /** How a board is looked at, as a view. */
  asView(board: string): beckon.View {
    const clauses = this.filterOf(board).filter((clause) => clause.values.length > 0);
    const project = store.projects.get(board);
    // The board of a project has its cards only; a view has those of all.
    const own: Clause[] = project ? [{ field: 'project', not: false, values: [project.id] }] : [];
    return {
      id: '',
      name: '',
      clauses: [...own, ...clauses],
      display: this.displayOf(board),
      created: 0,
    };
  }

  /** Whether a board has its filter line: opened, or with conditions in it. */
  shows(board: string): boolean {
    return this.engine !== undefined && (this.#open === board || this.filterOf(board).length > 0);
  }

  /** Opens a board's filter line and puts the caret into it. */
  async open(board: string): Promise<void> {
    if (this.engine === undefined) {
      let gaveUp = false;
      const letGo = keepKeys(() => (gaveUp = true));
      await this.fetch().catch((error: unknown) => {
        letGo();
        throw error;
      });
      if (gaveUp) return;
    }
    this.#open = board;
    this.calls++;
  }

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

function without<T>(all: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([one]) => one !== name));
}

/** The page's one. */
export const looks = new Looks();
