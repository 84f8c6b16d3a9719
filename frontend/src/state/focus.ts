import { isCharacter } from '../ui/caps';

/** Somebody who takes keys: a question card, the board, a diff. */
export interface KeyTaker {
  /** The element that the keys are about; the one with the focus goes first. */
  element?: () => HTMLElement | null | undefined;
  /** Whether keys count only while the focus is inside the element. */
  focusOnly?: boolean;
  /**
   * Takes a key as the key map writes it: "1", "O", "Enter", "Mod J". Returns
   * whether it did something; then nobody else gets it. While the person
   * types it is called with the keys only that are heard then, too.
   */
  press(cap: string, event: KeyboardEvent): boolean;
}

const takers: KeyTaker[] = [];

/** Takes keys until the returned function is called. */
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
export function offerKey(
  cap: string,
  event: KeyboardEvent,
  focused: Element | null,
  aroundOnly = false,
): boolean {
  const around = takers
    .filter((taker) => holds(taker, focused))
    .sort((a, b) => depth(b) - depth(a));
  const others = aroundOnly
    ? []
    : takers.filter((taker) => !holds(taker, focused) && taker.focusOnly !== true).reverse();
  return [...around, ...others].some((taker) => taker.press(cap, event));
}

/** Whether a key acts only on what has the focus, as the person wants it of single keys. */
export function actsAround(cap: string, singleKeys: boolean): boolean {
  return !singleKeys && (isCharacter(cap) || cap.includes('>'));
}

function holds(taker: KeyTaker, focused: Element | null): boolean {
  return focused !== null && taker.element?.()?.contains(focused) === true;
}

function depth(taker: KeyTaker): number {
  let n = 0;
  for (let e: Element | null | undefined = taker.element?.(); e; e = e.parentElement) n++;
  return n;
}
