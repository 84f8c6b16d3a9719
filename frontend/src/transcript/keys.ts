import { modHeld } from '../ui/platform';

/** What the keys of a session do. */
export interface Does {
  find: () => void;
  step: (by: 1 | -1) => void;
}

/** The transcripts on the page. */
const shown = new Set<HTMLElement>();

/**
 * Takes Mod F and Alt with an arrow, also while one types, for the session
 * that has the focus; where there is only one, for that. Ends with the
 * returned function.
 */
export function listen(element: HTMLElement, does: Does): () => void {
  const around = element.closest('section') ?? element;
  shown.add(element);

  function keydown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    if (!around.contains(document.activeElement) && shown.size > 1) return;
    if (modHeld(event) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'f') does.find();
    else if (event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) does.step(event.key === 'ArrowUp' ? -1 : 1);
    else return;
    event.preventDefault();
  }

  addEventListener('keydown', keydown);
  return () => {
    shown.delete(element);
    removeEventListener('keydown', keydown);
  };
}
