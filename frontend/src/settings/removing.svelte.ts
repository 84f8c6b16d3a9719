// Executors that are to go as soon as they can be reached and no agent works there.
import { untrack } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import { api } from '../bridge';
import { t } from '../i18n/index.svelte';
import { attempt, store } from '../state';
import { oneLine } from '../text/plain';
import { toasts } from '../ui/toasts.svelte';
import { workersOn } from './executors';

class Removing {
  /** The ids of those that are waited for. */
  readonly waiting = new SvelteSet<string>();
  #watched = false;

  /** Removes an executor once it can be reached, on whatever page one is by then. */
  whenReachable(id: string): void {
    this.waiting.add(id);
    if (this.#watched) return;
    this.#watched = true;
    $effect.root(() => {
      $effect(() => {
        for (const one of this.waiting) {
          const status = store.executor(one);
          if (!status) this.waiting.delete(one);
          else if (status.health.state === 'ready' && workersOn(one).length === 0)
            untrack(() => void this.#remove(one));
        }
      });
    });
  }

  async #remove(id: string): Promise<void> {
    this.waiting.delete(id);
    await this.remove(id, false);
  }

  /** Removes an executor; `forget` leaves what is there. Returns whether it is gone. */
  async remove(id: string, forget: boolean): Promise<boolean> {
    const name = oneLine(store.executor(id)?.executor.name ?? '');
    if (!(await attempt(() => api.removeExecutor(id, forget)))) return false;
    this.waiting.delete(id);
    toasts.show(t(forget ? 'executors.forgotten' : 'executors.removed', { name }), { tone: 'ok' });
    return true;
  }
}

export const removing = new Removing();
