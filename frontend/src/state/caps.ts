import { isMac, modHeld } from '../ui/platform';

const names: Partial<Record<string, string>> = { ' ': 'Space', Escape: 'Esc', ArrowLeft: '←', ArrowUp: '↑', ArrowDown: '↓', ArrowRight: '→' };

// WebKit ends a composition before it tells of the key that ended it; only
// this code says that the key was the input method's.
const composing = 229;

export type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'> & Partial<Pick<KeyboardEvent, 'isComposing' | 'keyCode' | 'getModifierState'>>;

/**
 * The key that was pressed as the key map writes it, such as "Mod Shift F";
 * empty where it is none of the page's. A character is what it is, however it
 * is typed; only letters are other keys with Shift.
 */
export function capOf(event: Pressed): string {
  if (event.isComposing || event.keyCode === composing) return '';
  const one = event.key.length === 1;
  const key = names[event.key] ?? (one ? event.key.toUpperCase() : event.key);
  if (one && event.getModifierState?.('AltGraph')) return key;
  const mod = modHeld(event as KeyboardEvent);
  if (isMac ? event.ctrlKey : event.metaKey) return '';
  const shift = event.shiftKey && (key.length > 1 || /[\p{L}←↑↓→]/u.test(key));
  return [mod && 'Mod', event.altKey && 'Alt', shift && 'Shift', key].filter(Boolean).join(' ');
}

/** Whether a key is one that can be switched off: a character, with Shift at most. */
export function isCharacter(cap: string): boolean {
  return /^(?:Shift )?[^←↑↓→]$/u.test(cap);
}
