// What a key does in the composer. Pure, so that the table of it is a test.

import { heard } from '../state/keymap';
import { capOf } from '../ui/caps';

/** What the composer is asked to do; "" leaves the key to the field. */
export type Act = 'send' | 'queue' | 'interrupt' | 'leave' | 'older' | 'newer' | '';

/** What the meaning of a key depends on. */
export interface Situation {
  /** Whether the field is empty. */
  empty: boolean;
  /** Whether what is in the field was said before, and is shown again. */
  walking: boolean;
  /** Whether there is a turn to interrupt. */
  busy: boolean;
}

/** Key is what is read of the browser's event. */
export type Key = Parameters<typeof capOf>[0];

/** actOf tells what a key does. */
export function actOf(key: Key, at: Situation): Act {
  const cap = capOf(key);
  const row = heard('composer', cap);
  switch (row?.id) {
    case 'leave':
      // Who wrote something leaves it, and stops nobody by that.
      return at.busy && at.empty ? 'interrupt' : 'leave';
    case 'send':
    case 'queue':
      return row.id;
    case 'said':
      if (row.nth === 0) return at.empty || at.walking ? 'older' : '';
      return at.walking ? 'newer' : '';
    default:
      return ''; // a new line, and what begins a completion, are typed
  }
}
