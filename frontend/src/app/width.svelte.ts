const kept = 'beckon.rail';
const narrow = '(max-width: 1040px)';

/**
 * Whether the rail is slim: on its own in a narrow window, else as the person
 * left it. Each page keeps its own, since it belongs to a window's width.
 */
class Width {
  #narrow = $state(matchMedia(narrow).matches);
  #wide = $state(localStorage.getItem(kept) === 'slim');
  /** The wish for a narrow window, which lasts until it is widened. */
  #opened = $state(false);

  get slim(): boolean {
    return this.#narrow ? !this.#opened : this.#wide;
  }

  toggle(): void {
    if (this.#narrow) {
      this.#opened = !this.#opened;
      return;
    }
    this.#wide = !this.#wide;
    localStorage.setItem(kept, this.#wide ? 'slim' : 'full');
  }

  /** Follows the window's width until the returned function is called. */
  follow(): () => void {
    const query = matchMedia(narrow);
    const changed = () => {
      this.#narrow = query.matches;
      this.#opened = false;
    };
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }
}

/** The page's one. */
export const width = new Width();
