// Messages that are being written, by task. They outlive the page that shows
// them, a reload and Beckon's restart, and come back when they cannot be sent.

import { SvelteMap } from 'svelte/reactivity';
import { api } from '../bridge';
import { DraftStore } from '../state/draftStore.svelte';
import { type Draft, join, noDraft, read, write } from './draft';

class Messages {
  #typed = new SvelteMap<string, Draft>();
  /** What was sent and is not known to have arrived. */
  #away = new Map<string, Draft[]>();
  #loaded = false;
  #store = new DraftStore('beckon.message.', (taskId) =>
    api.saveMessageDraft(taskId, this.#whole(taskId)),
  );

  /** Reads what Beckon keeps, once; what was typed here since is newer. */
  load(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    void this.#read().catch(() => (this.#loaded = false)); // the next field that is shown asks again
  }

  /** What is being written to a task's agent. */
  of(taskId: string): Draft {
    return (
      this.#typed.get(taskId) ?? read(this.#store.stored(taskId) ?? this.#store.kept(taskId) ?? '')
    );
  }

  set(taskId: string, draft: Draft): void {
    this.#typed.set(taskId, draft);
    this.#keep(taskId);
  }

  /** Adds to what is being written. */
  add(taskId: string, draft: Draft): void {
    this.set(taskId, join(this.of(taskId), draft));
  }

  /** Saves at once what was typed, when the field is left. */
  rest(taskId: string): void {
    this.#store.flush(taskId);
  }

  /**
   * Sends what is written and frees the field for more. It stays kept until it
   * has arrived, and is back in the field if it did not; the error is thrown.
   */
  async send(taskId: string, post: (draft: Draft) => Promise<unknown>): Promise<void> {
    const draft = this.of(taskId);
    this.#away.set(taskId, [...(this.#away.get(taskId) ?? []), draft]);
    this.#typed.set(taskId, noDraft);
    try {
      await post(draft);
      this.#back(taskId, draft);
    } catch (error) {
      this.#back(taskId, draft);
      this.#typed.set(taskId, join(draft, this.of(taskId)));
      throw error;
    } finally {
      this.#keep(taskId);
    }
  }

  async #read(): Promise<void> {
    const drafts = await api.drafts();
    this.#store.load(
      drafts
        .filter((one) => one.questionId === '')
        .map(({ taskId, text }) => ({ id: taskId, text })),
    );
  }

  #back(taskId: string, draft: Draft): void {
    const left = (this.#away.get(taskId) ?? []).filter((one) => one !== draft);
    if (left.length > 0) this.#away.set(taskId, left);
    else this.#away.delete(taskId);
  }

  #keep(taskId: string): void {
    const text = this.#whole(taskId);
    if (text === '') this.#store.drop(taskId, true);
    else this.#store.set(taskId, text);
  }

  #whole(taskId: string): string {
    return write(join(...(this.#away.get(taskId) ?? []), this.#typed.get(taskId) ?? noDraft));
  }
}

/** The page's unsent messages. */
export const messages = new Messages();
