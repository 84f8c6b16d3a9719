// Keys that are pressed before the field or the menu is there that they are meant for.

import { tick } from 'svelte';
import { capOf } from './caps';
import { isTyping } from './typing';

const modifiers = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock'];

/**
 * Keeps keys from the page while a field or a menu is fetched, and types them into the
 * first field, or has them press the first item of a menu, that takes the focus; Esc gives
 * up. The returned function lets go of them.
 */
export function keepKeys(giveUp: () => void): () => void {
  const keys: string[] = [];

  function keydown(event: KeyboardEvent): void {
    const held = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph');
    const cap = capOf(event);
    if (held || cap === '' || modifiers.includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (cap === 'Esc') {
      stop();
      giveUp();
    } else if (cap === 'Backspace') keys.pop();
    else if (cap === 'Enter' || [...event.key].length === 1) keys.push(event.key);
  }

  function focusin({ target }: FocusEvent): void {
    const item =
      target instanceof HTMLElement && target.getAttribute('role') === 'menuitem'
        ? target
        : undefined;
    if (!isTyping(target) && !item) {
      // A dialog without a field decides something: what was pressed before it was seen does not.
      if (target instanceof Element && target.closest('dialog[open]'))
        queueMicrotask(() => !isTyping(document.activeElement) && stop());
      return;
    }
    stop(); // what is pressed from now on is for it
    // Who gives the focus may also choose what the field has.
    queueMicrotask(
      () =>
        void (item
          ? choose(item, keys)
          : type(target as HTMLInputElement | HTMLTextAreaElement, keys)),
    );
  }

  function stop(): void {
    removeEventListener('keydown', keydown, true);
    removeEventListener('focusin', focusin, true);
  }

  addEventListener('keydown', keydown, true);
  addEventListener('focusin', focusin, true);
  return stop;
}

function choose(item: HTMLElement, keys: string[]): void {
  for (const key of keys) {
    if (!item.isConnected) return;
    if (key === 'Enter') item.click();
    else item.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }
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
  if (key === 'Enter')
    field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  else {
    field.setRangeText(
      key,
      field.selectionStart ?? field.value.length,
      field.selectionEnd ?? field.value.length,
      'end',
    );
    field.dispatchEvent(
      new InputEvent('input', { bubbles: true, inputType: 'insertText', data: key }),
    );
  }
}
