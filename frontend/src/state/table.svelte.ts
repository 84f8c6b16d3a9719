/** What `apply` needs of a table; a Map will do. */
export interface Rows<T> {
  get(id: string): T | undefined;
  set(id: string, row: T): unknown;
  delete(id: string): unknown;
  keys(): Iterable<string>;
}

/**
 * Rows by id, watched as a whole: a reader of any of it hears of any
 * change. Rows are replaced and never altered, so a list keyed by id redraws
 * only those that differ. A signal per row would cost more than it saves with
 * ten thousand cards.
 */
export class Table<T> implements Rows<T> {
  #rows = new Map<string, T>();
  #version = $state(0);

  get(id: string): T | undefined {
    void this.#version;
    return this.#rows.get(id);
  }

  values(): T[] {
    void this.#version;
    return [...this.#rows.values()];
  }

  keys(): string[] {
    return [...this.#rows.keys()];
  }

  get size(): number {
    void this.#version;
    return this.#rows.size;
  }

  set(id: string, row: T): void {
    this.#rows.set(id, row);
    this.#version++;
  }

  delete(id: string): void {
    if (this.#rows.delete(id)) this.#version++;
  }
}
