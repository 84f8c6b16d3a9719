import { store } from '../state';

/** How long one rests on a card before its session is read, in milliseconds: who passes by does not open it. */
const restMs = 80;

/** Reads the sessions of the cards on which the focus or the pointer rests, until the returned function is called. */
export function expecting(root: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: string | undefined;
  const rests = ({ target }: Event) => {
    const id =
      target instanceof Element
        ? target.closest<HTMLElement>('.card[data-task]')?.dataset.task
        : undefined;
    if (id === last) return;
    last = id;
    clearTimeout(timer);
    if (id !== undefined && store.latestRuns.has(id))
      timer = setTimeout(() => void store.expect(id), restMs);
  };
  root.addEventListener('focusin', rests);
  root.addEventListener('pointerover', rests);
  return () => {
    clearTimeout(timer);
    root.removeEventListener('focusin', rests);
    root.removeEventListener('pointerover', rests);
  };
}
