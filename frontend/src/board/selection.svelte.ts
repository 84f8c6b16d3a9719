import { t } from '../i18n/index.svelte';
import { announcer } from '../ui/announcer.svelte';

/** The cards of the board that the next key or press is about, in the order in which they were chosen. */
class Selection {
  #ids = $state.raw<ReadonlySet<string>>(new Set());

  get size(): number {
    return this.#ids.size;
  }

  get ids(): string[] {
    return [...this.#ids];
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  toggle(id: string): void {
    const ids = new Set(this.#ids);
    if (!ids.delete(id)) ids.add(id);
    this.#take(ids);
  }

  /** Adds cards; all of them again takes them away. */
  column(ids: string[]): void {
    const rest = new Set(this.#ids);
    if (ids.every((id) => rest.delete(id))) this.#take(rest);
    else this.add(ids);
  }

  add(ids: string[]): void {
    this.#take(new Set([...this.#ids, ...ids]));
  }

  clear(): void {
    if (this.size > 0) this.#take(new Set());
  }

  /** Lets go of cards that are not among the shown ones. */
  keep(shown: ReadonlySet<string>): void {
    const ids = this.ids.filter((id) => shown.has(id));
    if (ids.length < this.size) this.#take(new Set(ids));
  }

  #take(ids: ReadonlySet<string>): void {
    this.#ids = ids;
    announcer.say(t('board.selected', { n: ids.size }));
  }
}

/** The page's one. */
export const selection = new Selection();
