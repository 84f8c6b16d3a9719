// Which key of the key map a press is, if the page is to hear it at all.

import { capOf, type Pressed } from '../ui/caps';
import { heardTyping } from '../state/keymap';

/** What is the case when a key goes down. */
export interface Situation {
  /** The person writes text. */
  typing: boolean;
  /** A dialog is open: the page behind it hears nothing. */
  dialog: boolean;
  /** The element with the focus does something of its own on Enter and Space. */
  control: boolean;
}

/** The key as the key map writes it; empty where it is not the page's. */
export function keyOf(event: Pressed, now: Situation): string {
  const cap = now.dialog ? '' : capOf(event);
  if (now.typing && !heardTyping(cap)) return '';
  if (now.control && /(?:^| )(?:Enter|Space)$/.test(cap)) return '';
  return cap;
}
