import { api, type beckon } from '../bridge';

/** How Beckon's hook stands in the settings of each folder of Claude Code's. */
class Hooks {
  states = $state.raw<beckon.HookState[]>([]);
  /** Whether it was looked for. */
  known = $state(false);

  async load(): Promise<void> {
    try {
      this.states = await api.hookStates();
      this.known = true;
    } catch {
      // What cannot be told is not offered.
    }
  }

  of(root: string): beckon.HookState | undefined {
    return this.states.find((state) => state.root === root);
  }

  /** Whether sessions of the folder call the hook. */
  works(root: string): boolean {
    const state = this.of(root);
    return (
      state !== undefined &&
      state.command !== '' &&
      !state.programGone &&
      !state.another &&
      state.disabledBy === ''
    );
  }

  /** Whether it can be installed there, and is not. */
  missing(root: string): boolean {
    const state = this.of(root);
    return state !== undefined && (state.command === '' || state.programGone || state.another);
  }

  /** Whether it is installed nowhere. */
  get none(): boolean {
    return this.states.length > 0 && this.states.every((state) => state.command === '');
  }
}

export const hooks = new Hooks();
