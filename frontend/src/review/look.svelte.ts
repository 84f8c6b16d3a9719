const kept = { split: 'beckon.diff.split', ignoreSpace: 'beckon.diff.ignoreSpace' };

function was(name: string): boolean {
  return localStorage.getItem(name) === 'yes';
}

/** How the person looks at changes; it is the same for all tasks, and kept. */
export class DiffLook {
  #split = $state(was(kept.split));
  #ignoreSpace = $state(was(kept.ignoreSpace));

  /** In two columns, where there is room. */
  get split(): boolean {
    return this.#split;
  }
  set split(on: boolean) {
    this.#split = on;
    localStorage.setItem(kept.split, on ? 'yes' : 'no');
  }

  /** Lines that differ in white space alone are no changes. */
  get ignoreSpace(): boolean {
    return this.#ignoreSpace;
  }
  set ignoreSpace(on: boolean) {
    this.#ignoreSpace = on;
    localStorage.setItem(kept.ignoreSpace, on ? 'yes' : 'no');
  }
}
