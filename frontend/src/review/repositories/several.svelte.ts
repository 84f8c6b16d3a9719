import { untrack } from 'svelte';
import { api, type beckon } from '../../bridge';
import { t } from '../../i18n/index.svelte';
import { attempt, offerCommands } from '../../state';
import { oneLine } from '../../text/plain';
import type { ChangedFile } from '../file';
import type { Review } from '../load.svelte';
import { asked } from './asked.svelte';
import { isSeveral } from './order';
import { MergePlan } from './plan.svelte';
import type { ReadPart } from './read';

/** Several is the repositories that a task's changes are in, if there are more than its own. */
export class Several {
  readonly plan: MergePlan;
  /** None where the task has its own repository only. */
  readonly parts: ReadPart[] = $derived.by(() => this.review.diff?.parts ?? []);
  /** It works in others than its own. */
  readonly on: boolean = $derived.by(() => isSeveral(this.task().id, this.parts));
  /** The repository whose conflicts are shown. */
  readonly conflict: ReadPart | undefined = $derived.by(() =>
    this.parts.find((part) => part.id === this.#shown && part.state === 'conflict'),
  );
  /** What the person resolves in a worktree, and the repository that it is of. */
  hand = $state.raw<{ read: beckon.ByHand; part?: ReadPart }>({ read: nothing });
  /** The repository whose conflicts were asked for. */
  #shown = $state('');

  constructor(
    private readonly task: () => beckon.Task,
    private readonly review: Review,
  ) {
    this.plan = new MergePlan(
      task,
      () => this.parts,
      () => review.load(),
    );
  }

  /** What makes a worktree of each repository that the task did not need so far. */
  #commands(): { label: string; run: () => void }[] {
    const { id, status } = this.task();
    if (status === 'done' || status === 'archived') return [];
    return this.parts
      .filter(({ state }) => state === 'none')
      .map(({ name }) => ({
        label: t('repositories.open', { name: oneLine(name) }),
        run: () =>
          void attempt(async () => {
            await api.openRepository(id, name);
            await this.review.load();
          }),
      }));
  }

  /** Shows the conflicts of a repository; without one, all changes again. */
  show(part?: ReadPart): void {
    this.#shown = part?.id ?? '';
    this.plan.open = false;
  }

  /** Looks whether the person resolves conflicts in a worktree, with every look at the work, and offers what can be done. */
  follow(): void {
    const { id } = this.task();
    $effect(() =>
      offerCommands(() => ({ title: t('repositories.heading'), commands: this.#commands() })),
    );
    $effect(() => () => {
      if (asked.merge === id) asked.merge = ''; // one who left does not want it any more
    });
    $effect(() => {
      if (this.review.looks > 0) untrack(() => void this.#lookAtHand());
    });
  }

  async #lookAtHand(): Promise<void> {
    const { id } = this.task();
    const parts = this.parts.filter(({ worktree }) => worktree !== '');
    const asked: { id: string; part?: ReadPart }[] = this.on
      ? parts.map((part) => ({ id: part.id, part }))
      : [{ id }];
    const found = await Promise.all(
      asked.map(async ({ id, part }) => ({
        read: await api.byHand(id).catch(() => nothing),
        ...(part && { part }),
      })),
    );
    this.hand = found.find(({ read }) => read.on) ?? { read: nothing };
  }

  /** The task as the calls about one of its repositories take it; without one, the task itself. */
  placeOf(part: ReadPart | undefined): beckon.Task {
    const task = this.task();
    if (!part) return task;
    const { id, worktree, branch, base } = part;
    return { ...task, id, worktree, branch, base };
  }

  /** The repository that a file is in. */
  partOf(file: ChangedFile | undefined): ReadPart | undefined {
    return this.parts.find(({ repository }) => repository === (file?.repository ?? ''));
  }

  /** What is said of a file's repository; nothing where there is one only. */
  nameOf(file: ChangedFile): string | undefined {
    const part = this.partOf(file);
    return part && oneLine(part.name);
  }
}

const nothing: beckon.ByHand = { on: false, files: [] };
