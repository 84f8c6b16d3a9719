// Keys that are pressed before the field is there that they are meant for.

import { tick } from 'svelte';
import { isTyping } from './typing';

const modifiers = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock'];

/**
 * Keeps keys from the page while a field is fetched, and types them into the first
 * field that takes the focus; Esc gives up. The returned function lets go of them.
 */
export function keepKeys(giveUp: () => void): () => void {
  const keys: string[] = [];

  function keydown(event: KeyboardEvent): void {
    const held = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph');
    if (held || event.isComposing || modifiers.includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') {
      stop();
      giveUp();
    } else if (event.key === 'Backspace') keys.pop();
    else if (event.key === 'Enter' || [...event.key].length === 1) keys.push(event.key);
  }

  function focusin({ target }: FocusEvent): void {
    if (!isTyping(target)) return;
    stop();
    // Who gives the focus may also choose what the field has.
    queueMicrotask(() => void type(target as HTMLInputElement | HTMLTextAreaElement, keys));
  }

  function stop(): void {
    removeEventListener('keydown', keydown, true);
    removeEventListener('focusin', focusin, true);
  }

  addEventListener('keydown', keydown, true);
  addEventListener('focusin', focusin, true);
  return stop;
}

async function type(field: HTMLInputElement | HTMLTextAreaElement, keys: string[]): Promise<void> {
  for (const key of keys) {
    if (!field.isConnected) return;
    press(field, key);
    // What it made of the key is in the field by then; nothing that is pressed now comes between.
    await tick();
  }
}

function press(field: HTMLInputElement | HTMLTextAreaElement, key: string): void {
  if (key === 'Enter') field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  else {
    field.setRangeText(key, field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: key }));
  }
}
