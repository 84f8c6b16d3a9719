import { SvelteMap } from 'svelte/reactivity';
import { type ChangedFile, idOf } from './file';

/** Which files show only their names: those that were viewed, unless the person looks into one, and those that they folded. */
export class Folds {
  #chosen = new SvelteMap<string, boolean>();

  constructor(private readonly viewed: (file: ChangedFile) => boolean) {}

  has(file: ChangedFile): boolean {
    return this.#chosen.get(idOf(file)) ?? this.viewed(file);
  }

  toggle(file: ChangedFile): void {
    this.#chosen.set(idOf(file), !this.has(file));
  }

  /** What was viewed by now is folded, and unfolded where the mark goes. */
  forget(file: ChangedFile): void {
    this.#chosen.delete(idOf(file));
  }
}
