import { SvelteMap } from 'svelte/reactivity';
import type { beckon } from '../bridge';

/** Which files show only their names: those that were viewed, unless the person looks into one, and those that they folded. */
export class Folds {
  #chosen = new SvelteMap<string, boolean>();

  constructor(private readonly viewed: (file: beckon.FileDiff) => boolean) {}

  has(file: beckon.FileDiff): boolean {
    return this.#chosen.get(file.path) ?? this.viewed(file);
  }

  toggle(file: beckon.FileDiff): void {
    this.#chosen.set(file.path, !this.has(file));
  }

  /** What was viewed by now is folded, and unfolded where the mark goes. */
  forget(file: beckon.FileDiff): void {
    this.#chosen.delete(file.path);
  }
}
