import { SvelteSet } from 'svelte/reactivity';
import { api, asBeckonError, type beckon, type BeckonError } from '../../bridge';
import { t } from '../../i18n/index.svelte';
import { explain, sheets, undoMs, undoOf } from '../../state';
import { oneLine } from '../../text/plain';
import { toasts } from '../../ui/toasts.svelte';
import { stepped } from '../../ui/stepped';
import { baseOf, mergeable, ordered, worstOf } from './order';
import type { ReadPart } from './read';

/** So often it is looked how far a merge is, in milliseconds. */
const watchMs = 500;

/** What the person was asked about, and merges all the same. */
interface Seen {
  failedCheck: boolean;
  /** The repositories with files that steer or run something, by their ids. */
  steering: string[];
}

const none: Seen = { failedCheck: false, steering: [] };

/** MergePlan is how the work in several repositories is merged: all that is taken, in its order, or nothing. */
export class MergePlan {
  /** It is shown. */
  open = $state(false);
  busy = $state(false);
  /** What is merged so far, by its ids. */
  landed = $state.raw<ReadonlySet<string>>(new Set());
  /** Why nothing was merged the last time. */
  failed = $state('');
  #order = $state.raw<string[]>([]);
  #left = new SvelteSet<string>();
  /** How many merges were begun. */
  #begun = 0;
  /** Those that have something to merge, in the order in which they are merged. */
  readonly parts: ReadPart[] = $derived.by(() => ordered(mergeable(this.read()), this.#order));
  /** Those that are merged. */
  readonly taken: ReadPart[] = $derived.by(() =>
    this.parts.filter((part) => !this.#left.has(part.id)),
  );
  readonly worst = $derived.by(() => worstOf(this.taken));
  /** The branch that all are merged into; undefined where they have different ones. */
  readonly base: string | undefined = $derived.by(() => {
    const base = baseOf(this.taken.length > 0 ? this.taken : this.read());
    return base === undefined ? undefined : oneLine(base);
  });
  readonly ready = $derived.by(() => this.taken.length > 0 && this.worst.state === 'clean');

  /** What the button says: what it does, or how far that is. */
  readonly says: string = $derived.by(() => {
    const [of, n] = [this.taken.length, this.landed.size];
    if (this.busy) return n > 0 ? t('repositories.mergedOf', { n, of }) : t('review.merging');
    const base = this.base ?? t('repositories.theirBases');
    if (of === 0) return t('review.merge', { base });
    return this.base === undefined
      ? t('repositories.mergeBases', { n: of })
      : t('repositories.merge', { n: of, base: this.base });
  });

  constructor(
    private readonly task: () => beckon.Task,
    private readonly read: () => ReadPart[],
    /** Reads the work again. */
    private readonly again: () => Promise<void>,
  ) {}

  isLeft(part: beckon.TaskPart): boolean {
    return this.#left.has(part.id);
  }

  /** Leaves a repository out, or takes it in again. */
  toggle(part: beckon.TaskPart): void {
    if (!this.#left.delete(part.id)) this.#left.add(part.id);
  }

  move(part: beckon.TaskPart, by: 1 | -1): void {
    const ids = this.parts.map(({ id }) => id);
    this.#order = stepped(ids, ids.indexOf(part.id), by);
  }

  /** Merges what is taken; what failed its check is asked about first, and what would steer or run something on this computer, for each repository apart. */
  async merge(seen: Seen = none): Promise<boolean> {
    if (!this.ready || this.busy) return false;
    const [task, { taken, base }] = [this.task(), this];
    const orders = taken.map(({ id, way }) => ({
      id,
      way,
      message: '',
      failedCheck: seen.failedCheck,
      steering: seen.steering.includes(id),
    }));
    this.busy = true;
    this.failed = '';
    void this.#watch(taken);
    const error = await api.mergeTogether(task.id, orders).then(() => undefined, asBeckonError);
    this.busy = false;
    this.landed = new Set();
    if (error) this.#refused(error, seen);
    else {
      this.open = false;
      toasts.show(mergedText(task.key, taken.length, base), {
        tone: 'ok',
        ms: undoMs,
        action: undoOf(task.id),
      });
    }
    await this.again();
    return error === undefined;
  }

  /** Looks how far the merge is until it is over. */
  async #watch(taken: ReadPart[]): Promise<void> {
    const begun = ++this.#begun;
    const over = () => !this.busy || this.#begun !== begun;
    while (!over()) {
      await new Promise((done) => setTimeout(done, watchMs));
      const parts = over() ? [] : await api.parts(this.task().id).catch(() => []);
      if (over()) return;
      const merged = parts.filter(
        ({ id, state }) => state === 'merged' && taken.some((one) => one.id === id),
      );
      this.landed = new Set(merged.map(({ id }) => id));
    }
  }

  /** Asks whether to merge all the same, or shows why nothing was merged. */
  #refused(error: BeckonError, seen: Seen): void {
    const { part: of = '', files = '' } = error.data;
    const part = this.parts.find(({ id }) => id === of);
    const base = part?.base ?? this.base ?? t('repositories.theirBases');
    const ask = (files: string, more: Partial<Seen>) =>
      sheets.mergeAnyway(
        this.task(),
        oneLine(base),
        files,
        () => void this.merge({ ...seen, ...more }),
        oneLine(part?.name ?? ''),
      );
    if (error.problem === 'checkFailed') ask('', { failedCheck: true });
    else if (error.problem === 'steering') ask(files, { steering: [...seen.steering, of] });
    else {
      this.failed = oneLine(explain(error));
      this.open = true;
    }
  }
}

function mergedText(key: string, n: number, base: string | undefined): string {
  return base === undefined
    ? t('repositories.mergedBases', { key, n })
    : t('repositories.mergedIn', { key, n, base });
}
