import { tick } from 'svelte';
import { type ChangedFile, idOf } from './file';
import type { Review } from './load.svelte';
import { firstChanged, lineIn } from './notes';
import type { Picking } from './picking.svelte';
import type { DiffRow } from './row';
import { type Hunk, hunkAt, nextFile, nextHunk, nextRepository } from './tree';

/** List is what shows the rows: one is brought to its top, and it says which are in sight. */
interface List {
  toRow(row: number): void;
  inView(): [number, number];
}

/** Spot is where the person is in a diff: what is in sight, and the hunk or the file that they went to. */
export class Spot {
  /** The row at the top of the view. */
  top = $state(0);
  /** The first and the last row in sight. */
  #sight = $state<[number, number]>([0, 0]);
  /** The id of the row that the person went to. */
  #id = $state('');

  readonly #row = $derived.by(() =>
    this.#id === '' ? -1 : this.rows().findIndex((row) => row.id === this.#id),
  );
  readonly #seen = $derived.by(() => this.#row >= this.#sight[0] && this.#row <= this.#sight[1]);
  /** The hunk that the person went to. */
  readonly hunk: Hunk | undefined = $derived.by(() => hunkAt(this.rows(), this.#row));
  /** The file at the top of the view. */
  readonly current: ChangedFile | undefined = $derived.by(() => {
    const rows = this.rows();
    return rows[Math.min(this.top, rows.length - 1)]?.file;
  });
  /** The file that keys are about. */
  readonly here: ChangedFile | undefined = $derived.by(() =>
    this.#seen ? this.rows()[this.#row]?.file : this.current,
  );

  constructor(
    private readonly rows: () => DiffRow[],
    private readonly list: () => List | undefined,
    private readonly review: Review,
  ) {}

  /** Notes which row is at the top of the list by now. */
  readonly passed = (row: number): void => {
    const rows = this.rows();
    // Where a file begins one is at its head, which is above the list; that of the first is only there.
    this.top =
      rows[row - 1]?.kind === 'file' && (row === 1 || rows[row]?.kind !== 'file') ? row - 1 : row;
    this.#sight = [this.top, this.list()?.inView()[1] ?? this.top];
  };

  /** Goes to the next or the last hunk: from the one gone to, as long as it is in sight; else from what is. */
  walk(by: 1 | -1): void {
    void this.#goTo(() =>
      nextHunk(this.rows(), this.#seen ? this.#row : by === 1 ? this.top - 1 : this.top, by),
    );
  }

  /** Goes to the file after or before another; without one, that which the person is at. */
  toFile(by: 1 | -1, other?: ChangedFile): void {
    const from = () => (other ? this.#head(other) : this.#seen ? this.#row : this.top);
    void this.#goTo(() => nextFile(this.rows(), from(), by));
  }

  /** Goes to the first file of the repository after (1) or before (-1) the one that the person is in. */
  toRepository(by: 1 | -1): void {
    void this.#goTo(() =>
      nextRepository(this.rows(), Math.max(0, this.#seen ? this.#row : this.top), by),
    );
  }

  readonly show = (file: ChangedFile): Promise<void> => this.#goTo(() => this.#head(file));

  /** Goes to the next discussion on the pull request; after the last it begins again. */
  toThread(): void {
    void this.#goTo(() => {
      const rows = this.rows();
      const from = this.#seen ? this.#row : this.top - 1;
      const next = rows.findIndex((row, i) => i > from && row.kind === 'thread');
      return next >= 0 ? next : rows.findIndex((row) => row.kind === 'thread');
    });
  }

  /** The line of a file that the person is at: of what is picked or of the hunk they went to, else of its first change. */
  lineOf(file: ChangedFile, picking: Picking): number {
    const [rows, { hunk }] = [this.rows(), this];
    const ofHunk = hunk && rows[hunk.from]?.file === file ? firstChanged(rows, hunk.from) : -1;
    return lineIn(rows, file, picking.on ? picking.range[0] : ofHunk);
  }

  #head(file: ChangedFile): number {
    return this.rows().findIndex((row) => row.kind === 'file' && idOf(row.file) === idOf(file));
  }

  /** Goes to a row; where there is none yet, to that among all that there will be. */
  async #goTo(find: () => number): Promise<void> {
    const { review } = this;
    let row = find();
    if (row < 0 && review.pending) {
      await review.whole;
      await tick();
      row = find();
    }
    if (row < 0 && !review.ahead.done) {
      review.ahead.finish();
      row = find();
    }
    if (row >= 0) this.#go(row);
  }

  /** The head of a file is above the list, and goes out of sight in it. */
  #go(row: number): void {
    const rows = this.rows();
    const [one, next] = [rows[row], rows[row + 1]];
    this.#id = one?.id ?? '';
    this.list()?.toRow(one?.kind === 'file' && next?.file === one.file ? row + 1 : row);
  }
}
