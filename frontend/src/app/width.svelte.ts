import { theRouter, type Route } from '../state';

const narrow = '(max-width: 1040px)';

/** Where each kind of page keeps how wide the person wants the rail. */
const kept = { wide: 'beckon.rail', working: 'beckon.rail.working' };

type Kind = keyof typeof kept;

/** What one works in has the room: a task's session and diff, and the panes of Mission Control. */
function kindOf({ page }: Route): Kind {
  return page === 'task' || page === 'mission' ? 'working' : 'wide';
}

/**
 * Whether the rail is slim: on its own in a narrow window and on the pages that
 * one works in, else as the person left it there. Each page keeps its own, since
 * it belongs to a window's width.
 */
class Width {
  #narrow = $state(matchMedia(narrow).matches);
  #chosen = $state({
    wide: localStorage.getItem(kept.wide),
    working: localStorage.getItem(kept.working),
  });
  /** The wish for a narrow window, which lasts until it is widened. */
  #opened = $state(false);

  get slim(): boolean {
    if (this.#narrow) return !this.#opened;
    const kind = kindOf(theRouter().route);
    const chosen = this.#chosen[kind];
    return chosen === null ? kind === 'working' : chosen === 'slim';
  }

  toggle(): void {
    if (this.#narrow) {
      this.#opened = !this.#opened;
      return;
    }
    const kind = kindOf(theRouter().route);
    const choice = this.slim ? 'full' : 'slim';
    this.#chosen[kind] = choice;
    localStorage.setItem(kept[kind], choice);
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
