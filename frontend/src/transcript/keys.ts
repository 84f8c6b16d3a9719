import { capOf, heard } from '../state';

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
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (!around.contains(document.activeElement) && shown.size > 1) return;
    const row = heard('session', capOf(event));
    if (row?.id === 'find') does.find();
    else if (row?.id === 'step') does.step(row.nth === 0 ? -1 : 1);
    else return;
    event.preventDefault();
  }

  addEventListener('keydown', keydown);
  return () => {
    shown.delete(element);
    removeEventListener('keydown', keydown);
  };
}
