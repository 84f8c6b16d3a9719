// What a key means to the page, before any component has a say.

import { shortcuts } from '../state/shortcuts';

/** What is the case when a key goes down. */
export interface Situation {
  /** The person writes text. */
  typing: boolean;
  /** A dialog is open: the page behind it hears nothing. */
  dialog: boolean;
  /** The element with the focus does something of its own on Enter and Space. */
  control: boolean;
  mod: boolean;
  /** "g" when it was the key before, for the keys that take two. */
  before: string;
}

export type Meaning =
  | { do: 'nothing' }
  | { do: 'answerNext' }
  | { do: 'search' }
  /** Not while text is written: there it takes back the text. */
  | { do: 'undo' }
  /** Where Beckon is a window; a browser's own Mod Q is not the page's. */
  | { do: 'quit' }
  /** Wait for a second key. */
  | { do: 'prefix' }
  | { do: 'go'; page: 'inbox' | 'mission' | 'board' | 'archive' }
  /** Offer it to the views that take keys; `character` keys can be switched off. */
  | { do: 'offer'; key: string; character: boolean };

const nothing: Meaning = { do: 'nothing' };

const withMod: Partial<Record<string, Meaning>> = {
  [shortcuts.answerNext[0]]: { do: 'answerNext' },
  [shortcuts.search[0]]: { do: 'search' },
  [shortcuts.undo[0]]: { do: 'undo' },
  [shortcuts.quit[0]]: { do: 'quit' },
};

const prefix = shortcuts.inbox[0].toLowerCase();

const afterPrefix: Partial<Record<string, Meaning>> = {
  [shortcuts.inbox[1]]: { do: 'go', page: 'inbox' },
  [shortcuts.mission[1]]: { do: 'go', page: 'mission' },
  [shortcuts.board[1]]: { do: 'go', page: 'board' },
  [shortcuts.archive[1]]: { do: 'go', page: 'archive' },
};

/** Reads a key. */
export function meaning(event: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'isComposing'> & Partial<Pick<KeyboardEvent, 'shiftKey'>>, now: Situation): Meaning {
  if (event.isComposing || now.dialog) return nothing;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (now.mod) {
    const what = event.altKey ? nothing : heldWithMod(key, event.shiftKey === true);
    return what.do === 'undo' && now.typing ? nothing : what; // of a text it undoes the text
  }
  if (event.altKey || event.ctrlKey || event.metaKey || now.typing) return nothing;
  if (now.control && (key === 'Enter' || key === ' ')) return nothing;
  const second = now.before === prefix ? afterPrefix[key.toUpperCase()] : undefined;
  if (second !== undefined) return second;
  if (key === prefix) return { do: 'prefix' };
  return { do: 'offer', key, character: key.length === 1 && key !== ' ' };
}

function heldWithMod(key: string, shift: boolean): Meaning {
  const known = withMod[`Mod ${shift ? 'Shift ' : ''}${key.toUpperCase()}`];
  if (known !== undefined) return known;
  return /^[1-9.]$/.test(key) ? { do: 'offer', key: `Mod+${key}`, character: false } : nothing;
}
