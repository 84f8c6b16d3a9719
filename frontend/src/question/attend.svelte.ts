// What every view of a question shares while it is on the page: its keys, how
// much of it is in sight, and that it starts over when another takes its place.

import { tick, untrack } from 'svelte';
import { api } from '../bridge';
import { store, takeKeys } from '../state';
import { toasts } from '../ui/toasts.svelte';
import type { Card } from './card.svelte';
import { reading } from './reading.svelte';

/** Where a question is shown. */
export interface Place {
  /** What shows it, once that is on the page. */
  root: () => HTMLElement | undefined;
  /** The pane that it is part of: keys are the question's while the focus is in there, and only then. */
  within?: () => HTMLElement | undefined;
  /** The sheet that shows it whole, and whose keys are the question's; there is no larger one. */
  sheet?: () => HTMLElement | undefined;
  /** Takes the focus when it appears. */
  autofocus?: () => boolean;
  /** The key that shows the question whole. */
  readKey: () => string;
  /** Shows it where it has fields, and returns true: on the same key, if that does nothing else here. */
  elsewhere?: () => true;
}

/** Joins a card to the page, for as long as the component that calls it is there; returns what shows the question whole. */
export function attend(card: Card, place: Place): () => boolean {
  const within = () => place.within?.();
  const sheet = () => place.sheet?.();

  /** Shows the question whole, where it is not; reports whether it was cut. */
  const readWhole = () => {
    if (!card.open || sheet() || card.sight.whole()) return false;
    reading.open(card.q.id);
    return true;
  };

  function press(cap: string, event: KeyboardEvent): boolean {
    const reads = cap === place.readKey();
    const elsewhere = reads && card.open ? place.elsewhere : undefined;
    if (elsewhere && card.written) return elsewhere();
    const inside = place.root()?.contains(document.activeElement) === true;
    return (reads && readWhole()) || card.press(cap, event, inside) || elsewhere?.() === true;
  }

  // A card that takes another's place starts over, and is deaf for a moment;
  // the same question with another clock is no other.
  const shownId = $derived(card.q.id);
  $effect.pre(() => {
    void shownId;
    untrack(() => card.shown(sheet() === undefined));
  });

  // Only where a reminder would come is it told that the question is in sight of the person.
  const reminded = $derived(card.open && store.settings.notify.remindMinutes > 0);
  $effect(() => {
    if (!reminded || !place.root()) return;
    const id = shownId;
    const look = () => {
      if (!document.hidden && document.hasFocus() && inSight(place.root()))
        void api.lookedAt(id).catch(() => {});
    };
    look();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  });

  $effect(() => {
    const root = place.root();
    return root && card.sight.follow(root, within());
  });

  // What the card shows changes how much of it fits, and a toast may lie over it.
  $effect(() => {
    void [card.q, card.page, card.draft, card.writing, card.sent, card.open, toasts.current];
    void tick().then(() => card.sight.look());
  });

  $effect(() => {
    const root = place.root();
    if (!root) return;
    if (place.autofocus?.()) focusIn(root, { preventScroll: true });
    return takeKeys({
      element: () => within() ?? sheet() ?? root,
      focusOnly: within() !== undefined,
      press,
    });
  });

  return readWhole;
}

/** Puts the focus on the first answer, or where one is written. */
export function focusIn(root: HTMLElement | undefined, options?: FocusOptions): void {
  root?.querySelector<HTMLElement>('[tabindex="0"], textarea')?.focus(options);
}

/** Whether some of an element is within the window. */
function inSight(element: Element | undefined): boolean {
  const box = element?.getBoundingClientRect();
  return box !== undefined && box.bottom > 0 && box.top < innerHeight && box.right > 0;
}
