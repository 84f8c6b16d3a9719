// The one answer that the person is about to change, and where that is done.

import { tick } from 'svelte';
import type { beckon } from '../bridge';
import { store, theRouter } from '../state';
import { sending } from './sending.svelte';
import { changeable } from './words';

class Changing {
  /** The question whose answer is being changed; empty for none. */
  id = $state('');
  /** The last answer that the person decided to keep, or changed. */
  #done = $state('');
  #hosts = 0;
  #back: Element | null = null;

  /** Opens the change of an answer where it can be shown: on this screen, else in the Inbox. */
  async open(id: string): Promise<void> {
    this.#back = document.activeElement;
    this.id = id;
    await tick();
    if (this.#hosts === 0) theRouter().go({ page: 'inbox', question: id });
  }

  /** Notes that a component shows the change, until the returned function is called. */
  host(): () => void {
    this.#hosts++;
    return () => void this.#hosts--;
  }

  /** Closes it; the answer stays, or has left. */
  close(): void {
    this.#done = this.id;
    this.id = '';
    const back =
      this.#back instanceof HTMLElement && this.#back.isConnected && this.#back !== document.body
        ? this.#back
        : document.getElementById('main');
    void tick().then(() => document.activeElement === document.body && back?.focus());
  }

  /** Sends the change. What does not leave stays open. */
  async send(q: beckon.Question, answer: beckon.Answer): Promise<void> {
    this.close();
    if (!(await sending.change(q, answer)) && this.id === '') await this.open(q.id);
  }

  /** The answer that was given here last, if it can be changed and the person has not dealt with that. */
  last(): { at: number; open(): void } | undefined {
    const last = sending.last;
    if (last === undefined || last.id === this.#done || !sending.isSent(last.id)) return undefined;
    const q = store.questions.get(last.id);
    if (q && q.answer !== undefined && !changeable(q)) return undefined;
    return { at: last.at, open: () => void this.open(last.id) };
  }
}

/** The page's one. */
export const changing = new Changing();
