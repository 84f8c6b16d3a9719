import type { beckon } from '../bridge';
import type { Comments } from './comments.svelte';
import { inSame } from './file';
import type { Folds } from './folds.svelte';
import type { Review } from './load.svelte';
import type { DiffLook } from './look.svelte';
import { withNotes } from './notes';
import { isToday } from './ranges.svelte';
import type { DiffRow, Remark } from './row';
import { diffRows } from './rows';
import { Whys } from './whys.svelte';
import type { Threads } from './threads.svelte';
import type { Unfolding } from './unfolding.svelte';

/** What the rows of a diff are made of, besides the diff itself. */
interface Parts {
  look: DiffLook;
  folds: Folds;
  unfolding: Unfolding;
  comments: Comments;
  threads: Threads;
  /** Which of the changes is shown. */
  shown: () => string;
  /** Whether there are two columns. */
  split: () => boolean;
}

/** Listed is the rows of a diff, with the comments on its lines. */
export class Listed {
  /** Why lines are there. */
  readonly whys: Whys;
  readonly #plain = $derived.by(() =>
    diffRows(
      this.review.folders,
      (file) => this.parts.folds.has(file),
      {
        split: this.parts.split(),
        ignoreSpace: this.parts.look.ignoreSpace,
        unfolded: (file) => this.parts.unfolding.of(file),
      },
      this.review.ahead.listed,
    ),
  );
  /** Comments on lines that are shown as they are today. */
  readonly comments: beckon.Comment[] = $derived.by(() =>
    this.parts.comments.list.filter((one) => this.#isShown(one)),
  );
  /** Discussions on the pull request about such lines. */
  readonly #threads: beckon.Thread[] = $derived.by(() =>
    this.parts.threads.list.filter((one) => this.#isShown(one)),
  );
  readonly rows: DiffRow[] = $derived.by(() => {
    const { pending, ahead } = this.review;
    const noted = withNotes(
      this.#plain,
      [...this.#threads, ...this.comments],
      this.parts.comments.writing,
      ahead.done && !pending,
    );
    const last = noted.at(-1);
    return this.whys.within(
      pending && last ? [...noted, { kind: 'rest', id: 'rest', file: last.file }] : noted,
    );
  });

  constructor(
    private readonly review: Review,
    private readonly parts: Parts,
  ) {
    this.whys = new Whys(parts.comments.taskId, (file) => ({
      ignoreSpace: parts.look.ignoreSpace,
      since: review.sinceOf(file, parts.shown()),
      start: false,
    }));
  }

  #isShown(one: Remark): boolean {
    const shown = this.parts.shown();
    if (shown === '') return true;
    return (
      !one.outdated &&
      this.review.diff?.files.some(
        (file) => inSame(one, file) && file.path === one.path && isToday(shown, file, one.side),
      ) === true
    );
  }
}
