// What a key means to the page, before any component has a say.

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
  /** Where Beckon is a window; a browser's own Mod Q is not the page's. */
  | { do: 'quit' }
  /** Wait for a second key. */
  | { do: 'prefix' }
  | { do: 'go'; page: 'inbox' | 'mission' | 'board' }
  /** Offer it to whoever takes keys; `character` keys can be switched off. */
  | { do: 'offer'; key: string; character: boolean };

const nothing: Meaning = { do: 'nothing' };

const withMod: Partial<Record<string, Meaning>> = { j: { do: 'answerNext' }, q: { do: 'quit' } };

/** Reads a key. */
export function meaning(event: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'isComposing'> & Partial<Pick<KeyboardEvent, 'shiftKey'>>, now: Situation): Meaning {
  if (event.isComposing || now.dialog) return nothing;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (now.mod && event.shiftKey === true && key === 'f' && !event.altKey) return { do: 'search' };
  if (now.mod) return event.altKey ? nothing : (withMod[key] ?? (/^[1-9.]$/.test(key) ? { do: 'offer', key: `Mod+${key}`, character: false } : nothing));
  if (event.altKey || event.ctrlKey || event.metaKey || now.typing) return nothing;
  if (now.control && (key === 'Enter' || key === ' ')) return nothing;
  if (now.before === 'g') {
    const page = ({ i: 'inbox', m: 'mission', b: 'board' } as const)[key];
    if (page !== undefined) return { do: 'go', page };
  }
  if (key === 'g') return { do: 'prefix' };
  return { do: 'offer', key, character: key.length === 1 && key !== ' ' };
}
