// Messages that are being written, by task. They outlive the page that shows
// them and a reload.

import { SvelteMap } from 'svelte/reactivity';

const prefix = 'beckon.message.';

class Messages {
  #texts = new SvelteMap<string, string>();

  of(taskId: string): string {
    return this.#texts.get(taskId) ?? this.#stored(taskId);
  }

  set(taskId: string, text: string): void {
    this.#texts.set(taskId, text);
    try {
      if (text === '') sessionStorage.removeItem(prefix + taskId);
      else sessionStorage.setItem(prefix + taskId, text);
    } catch {
      // The storage is full or forbidden: the text lives in memory alone.
    }
  }

  #stored(taskId: string): string {
    try {
      return sessionStorage.getItem(prefix + taskId) ?? '';
    } catch {
      return '';
    }
  }
}

/** The page's unsent messages. */
export const messages = new Messages();
