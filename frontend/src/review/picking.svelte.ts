import type { beckon } from '../bridge';
import { firstChanged, linesOf, pickable, sideOf, withinHunk } from './notes';
import type { DiffRow } from './row';

/** Lines of one hunk that are picked, by dragging over their numbers or by keys, to be commented on. */
export class Picking {
  /** The ids of the rows at which it began and is now. */
  #from = $state('');
  #to = $state('');
  /** Where the last comment began: Shift and a click take all lines from there. */
  #anchor = '';
  #dragging = false;
  /** The column in which they are picked, where there are two. */
  #column = $state<beckon.CommentSide>();

  /** The first and the last row that is picked; none is [0, -1]. */
  readonly range: [number, number] = $derived.by(() => {
    if (this.#from === '') return [0, -1];
    const [a, b] = [this.#at(this.#from), this.#at(this.#to)];
    return a < 0 || b < 0 ? [0, -1] : [Math.min(a, b), Math.max(a, b)];
  });

  constructor(
    private readonly rows: () => DiffRow[],
    private readonly onpicked: (lines: beckon.CommentLines) => void,
  ) {}

  /** The column of what is picked. */
  readonly side: beckon.CommentSide = $derived.by(() => {
    const row = this.rows()[this.#from === '' ? -1 : this.#at(this.#from)];
    return this.#column ?? (row ? sideOf(row) : 'after');
  });

  get on(): boolean {
    return this.range[1] >= 0;
  }

  #at(id: string): number {
    return this.rows().findIndex((row) => row.id === id);
  }

  #pick(from: number, to: number): void {
    this.#from = this.rows()[from]?.id ?? '';
    this.#to = this.rows()[to]?.id ?? '';
  }

  /** Takes a line more at the end, or one less; begins with the first change of the hunk. */
  extend(by: 1 | -1, hunk: number): void {
    const rows = this.rows();
    if (!this.on) {
      const first = hunk < 0 ? -1 : firstChanged(rows, hunk);
      if (first >= 0) {
        this.#column = undefined;
        this.#pick(first, first);
      }
      return;
    }
    const [from, to] = [this.#at(this.#from), this.#at(this.#to)];
    for (let i = to + by; i >= 0 && i < rows.length; i += by) {
      if (pickable(rows[i])) {
        this.#pick(from, withinHunk(rows, from, i));
        return;
      }
    }
  }

  /** Hands over what is picked; returns whether something is. */
  commit(): boolean {
    if (!this.on) return false;
    const lines = linesOf(this.rows(), this.#at(this.#from), this.#at(this.#to), this.#column);
    this.#anchor = this.#from;
    this.#from = this.#to = '';
    if (lines) this.onpicked(lines);
    return lines !== undefined;
  }

  /** Hands over the first changed line of the hunk whose head is a row. */
  hunk(head: number): boolean {
    const first = firstChanged(this.rows(), head);
    if (first < 0) return false;
    this.#column = undefined;
    this.#pick(first, first);
    return this.commit();
  }

  /** The row of a line whose number is under the pointer. */
  #under(event: PointerEvent, anywhere: boolean): number {
    const target =
      event.type === 'pointermove'
        ? document.elementFromPoint(event.clientX, event.clientY)
        : (event.target as Element | null);
    const cell = target?.closest(anywhere ? '[data-diff-row]' : '.pick');
    const id = cell?.closest<HTMLElement>('[data-diff-row]')?.dataset.diffRow;
    return id === undefined ? -1 : this.#at(id);
  }

  readonly down = (event: PointerEvent): void => {
    const row = event.button === 0 ? this.#under(event, false) : -1;
    if (row < 0) return;
    event.preventDefault();
    const anchor = event.shiftKey ? this.#at(this.#anchor) : -1;
    const from = anchor >= 0 && withinHunk(this.rows(), anchor, row) === row ? anchor : row;
    this.#dragging = true;
    this.#column = (event.target as HTMLElement).dataset.side as beckon.CommentSide | undefined;
    this.#pick(from, row);
  };

  readonly move = (event: PointerEvent): void => {
    if (!this.#dragging) return;
    const [from, row] = [this.#at(this.#from), this.#under(event, true)];
    if (row >= 0 && from >= 0) this.#pick(from, withinHunk(this.rows(), from, row));
  };

  readonly up = (): void => {
    if (!this.#dragging) return;
    this.#dragging = false;
    this.commit();
  };

  readonly cancel = (): void => {
    this.#dragging = false;
    this.#from = this.#to = '';
  };
}
