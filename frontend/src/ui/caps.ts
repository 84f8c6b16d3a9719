// Which key was pressed, decided once: no other file reads what the browser
// says of an input method.

import { isMac, modHeld } from './platform';

const names: Partial<Record<string, string>> = {
  ' ': 'Space',
  Escape: 'Esc',
  ArrowLeft: '←',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowRight: '→',
};

// The keyCode of a key that an input method took. WebKit sends compositionend
// before the keydown that caused it, so that isComposing is false by then.
const takenByInputMethod = 229;

export type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'> &
  Partial<Pick<KeyboardEvent, 'isComposing' | 'keyCode' | 'getModifierState'>>;

/**
 * The key that was pressed as the key map writes it, such as "Mod Shift F";
 * empty where it is none of the page's: Enter that confirms a word of an input
 * method sends nothing, and Esc that drops one closes nothing. A character is
 * what it is, however it is typed; only letters are other keys with Shift.
 */
export function capOf(event: Pressed): string {
  if (event.isComposing || event.keyCode === takenByInputMethod) return '';
  const one = event.key.length === 1;
  const key = names[event.key] ?? (one ? event.key.toUpperCase() : event.key);
  if (one && event.getModifierState?.('AltGraph')) return key;
  const mod = modHeld(event as KeyboardEvent);
  if (isMac ? event.ctrlKey : event.metaKey) return '';
  const shift = event.shiftKey && (key.length > 1 || /[\p{L}←↑↓→]/u.test(key));
  return [mod && 'Mod', event.altKey && 'Alt', shift && 'Shift', key].filter(Boolean).join(' ');
}

/** Whether Enter was pressed in a field, whatever is held with it. */
export function isEnter(event: Pressed): boolean {
  return /(?:^| )Enter$/.test(capOf(event));
}

/** Whether a key is one that can be switched off: a character, with Shift at most. */
export function isCharacter(cap: string): boolean {
  return /^(?:Shift )?[^←↑↓→]$/u.test(cap);
}
