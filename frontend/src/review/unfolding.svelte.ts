import { api } from '../bridge';
import { attempt } from '../state';
import { type ChangedFile, partOf } from './file';
import type { DiffRow } from './row';
import type { Hunk } from './tree';
import { type Gap, step, type Unfolded } from './unchanged';

/** Which way a gap is unfolded: from its beginning, from its end, or all of it. */
export type Way = 'below' | 'above' | 'all';

/** The unchanged lines that the person asked for. A file that changes has none again. */
export class Unfolding {
  #version = $state(0);
  #files = new WeakMap<
    ChangedFile,
    {
      opened: Map<number, { below: number; above: number }>;
      lines: Map<number, string>;
      total: number | undefined;
    }
  >();

  #measured = new WeakSet<ChangedFile>();
  #measures = Promise.resolve();

  /** `ongone` is called where a file is not there any more. */
  constructor(
    private readonly taskId: string,
    private readonly since: (file: ChangedFile) => string,
    private readonly ongone: () => void,
  ) {}

  of(file: ChangedFile): Unfolded | undefined {
    void this.#version;
    return this.#files.get(file);
  }

  #kept(file: ChangedFile) {
    const had = this.#files.get(file);
    if (had) return had;
    const kept = {
      opened: new Map<number, { below: number; above: number }>(),
      lines: new Map<number, string>(),
      total: undefined as number | undefined,
    };
    this.#files.set(file, kept);
    return kept;
  }

  /** Notes what is shown by now: it is another value, so that what was made of the one before is made again. */
  #note(file: ChangedFile, total: number): void {
    this.#files.set(file, { ...this.#kept(file), total });
    this.#version++;
  }

  /** Finds out how many lines a file has, one file after the other; where that fails, there may be any number. */
  measure(file: ChangedFile, gap: Gap): void {
    if (this.#measured.has(file)) return;
    this.#measured.add(file);
    this.#measures = this.#measures.then(async () => {
      const found = await api
        .diffLines(partOf(this.taskId, file.repository), {
          since: this.since(file),
          path: file.path,
          first: gap.first,
          last: gap.first - 1,
        })
        .catch(() => undefined);
      this.#note(file, found?.total || Infinity);
    });
  }

  /** Shows more of a gap. */
  async unfold(file: ChangedFile, gap: Gap, way: Way): Promise<void> {
    const kept = this.#kept(file);
    const first = way === 'above' ? Math.max(gap.first, gap.last - step + 1) : gap.first;
    const last = way === 'below' ? Math.min(gap.last, gap.first + step - 1) : gap.last;
    await attempt(async () => {
      const found = await api.diffLines(partOf(this.taskId, file.repository), {
        since: this.since(file),
        path: file.path,
        first,
        last: Math.min(last, most),
      });
      if (found.total === 0) this.ongone();
      for (const [n, text] of found.lines.entries()) kept.lines.set(found.first + n, text);
      const was = kept.opened.get(gap.nth) ?? { below: 0, above: 0 };
      const came = found.lines.length;
      kept.opened.set(
        gap.nth,
        way === 'above' ? { ...was, above: was.above + came } : { ...was, below: was.below + came },
      );
      this.#note(file, found.total);
    });
  }

  /** Shows so many lines above a hunk and below it. */
  around(rows: DiffRow[], hunk: Hunk, lines: number): void {
    const [head, end] = [rows[hunk.from], rows[hunk.to]];
    const [above, below] = [head, end].map((row) =>
      row?.kind === 'line' || row?.kind === 'tail' ? row.gap : undefined,
    );
    if (head && above) void this.unfold(head.file, above, lines === step ? 'above' : 'all');
    if (head && end?.file === head.file && below)
      void this.unfold(head.file, below, lines === step ? 'below' : 'all');
  }
}

/** The last line that can be asked for: a number that all of Beckon can read. */
const most = 2 ** 31 - 1;
