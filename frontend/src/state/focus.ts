/** Somebody who takes single keys: a question card, the board, a diff. */
export interface KeyTaker {
  /** The element that the keys are about; the one with the focus goes first. */
  element?: () => HTMLElement | null | undefined;
  /** Whether keys count only while the focus is inside the element. */
  focusOnly?: boolean;
  /**
   * Takes a key, lower case where it is a letter: "1", "o", "Enter", "h".
   * Returns whether it did something; then nobody else gets it. It is never
   * called while the person types.
   */
  press(key: string, event: KeyboardEvent): boolean;
}

const takers: KeyTaker[] = [];

/** Takes single keys until the returned function is called. */
export function takeKeys(taker: KeyTaker): () => void {
  takers.push(taker);
  return () => {
    const i = takers.indexOf(taker);
    if (i >= 0) takers.splice(i, 1);
  };
}

/**
 * Offers a key, first to those around the focus, the innermost first, then to
 * the others, the newest first; with `aroundOnly` not to those. Returns
 * whether somebody took it.
 */
export function offerKey(key: string, event: KeyboardEvent, focused: Element | null, aroundOnly = false): boolean {
  const around = takers.filter((taker) => holds(taker, focused)).sort((a, b) => depth(b) - depth(a));
  const others = aroundOnly ? [] : takers.filter((taker) => !holds(taker, focused) && taker.focusOnly !== true).reverse();
  return [...around, ...others].some((taker) => taker.press(key, event));
}

function holds(taker: KeyTaker, focused: Element | null): boolean {
  return focused !== null && taker.element?.()?.contains(focused) === true;
}

function depth(taker: KeyTaker): number {
  let n = 0;
  for (let e: Element | null | undefined = taker.element?.(); e; e = e.parentElement) n++;
  return n;
}

/** Whether keys that go to an element are text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit', 'range'].includes(target.type);
}
