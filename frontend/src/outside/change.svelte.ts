import { api, asBeckonError, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { explain } from '../state';
import { toasts } from '../ui/toasts.svelte';
import { hooks } from './hooks.svelte';
import { short } from './words';

/** A change of the hook that is shown before it is made. */
export class Changing {
  change = $state.raw<beckon.HookChange>();
  failed = $state('');
  busy = $state(false);

  constructor(
    private readonly root: () => string,
    private readonly install: () => boolean,
  ) {}

  /** Whether there is something to make. */
  get ready(): boolean {
    return (
      this.change !== undefined && this.change.diff !== '' && !this.change.refused && !this.busy
    );
  }

  async look(): Promise<void> {
    try {
      this.change = await api.previewHook(this.root(), this.install());
      this.failed = '';
    } catch (error) {
      this.failed = explain(asBeckonError(error));
    }
  }

  /** Makes the change that is shown; reports whether it is made. */
  async make(): Promise<boolean> {
    if (!this.ready || this.change === undefined) return false;
    this.busy = true;
    try {
      const done = await api.changeHook(this.root(), this.install(), this.change.token);
      if (done.refused) {
        this.change = done;
        return false;
      }
      const copy = done.backup ? ` ${t('outside.copyIn', { file: short(done.backup) })}` : '';
      toasts.show(t(this.install() ? 'outside.installed' : 'outside.removed') + copy, {
        tone: 'ok',
        ms: 8000,
      });
      return true;
    } catch (error) {
      const failure = asBeckonError(error);
      // What is there by now is another change, which is to be read again.
      if (failure.code === 'conflict') await this.look();
      this.failed = failure.code === 'conflict' ? t('outside.changedSince') : explain(failure);
      return false;
    } finally {
      this.busy = false;
      void hooks.load();
    }
  }
}
