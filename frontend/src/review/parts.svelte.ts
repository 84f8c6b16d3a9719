import { untrack } from 'svelte';
import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { clock, type Command, offerCommands, sinceIn, store, theRouter } from '../state';
import { type Range, Ranges } from './ranges.svelte';

/** The parts of a task's changes, and which one the address asks for. */
export class Parts {
  readonly ranges: Ranges;
  /** The one that is asked for; empty for all since the base. */
  readonly since = $derived(sinceIn(theRouter().route));
  readonly list: Range[] = $derived.by(() => this.ranges.list(this.base(), clock.now));

  constructor(
    private readonly task: beckon.Task,
    private readonly base: () => string,
  ) {
    this.ranges = new Ranges(task.id);
  }

  /** Has the palette list the parts, and reads them again when something else is shown, and when a turn began or ended, which is one more to choose; not before something is shown. */
  follow(seen: () => number): void {
    const turns = $derived.by(() => {
      const run = store.latestRuns.get(this.task.id);
      return [run?.id, run?.turns, run?.phase].join();
    });
    $effect(() => {
      void turns;
      if (seen() > 0) untrack(() => this.ranges.load());
    });
    $effect(() => offerCommands(() => ({ title: t('review.ranges'), commands: this.#commands() })));
  }

  readonly pick = (since: string): void => {
    theRouter().go({
      page: 'task',
      key: this.task.key,
      tab: 'changes',
      ...(since === '' ? {} : { since }),
    });
  };

  /** Shows the turn beside, if there is one; false where there is no turn at all. */
  toTurn(by: 1 | -1): boolean {
    void this.ranges.read.then(() => {
      const to = this.ranges.beside(this.since, by);
      if (to !== undefined) this.pick(to);
    });
    return !this.ranges.known || this.ranges.turned;
  }

  /** A line of the palette for each other one. */
  #commands(): Command[] {
    const others = this.list.filter((one) => !one.off && one.since !== this.since);
    return others.map(({ since, label }) => ({
      label: t(since === '' || since === 'review' ? 'review.showSince' : 'review.showOnly', {
        what: label,
      }),
      run: () => this.pick(since),
    }));
  }
}
