// The page's one outbox, watched, and emptied when the page is left.

import { SvelteMap } from 'svelte/reactivity';
import { api, asBeckonError, type beckon } from '../bridge';
import { explain } from '../state';
import { drafts } from './drafts.svelte';
import { Outbox, type SendState } from './outbox';

/** Sent is where the answer to a question is, and why it is not away. */
export interface Sent {
  state: SendState;
  answer: beckon.Answer;
  why: string;
  /** The name of the error, where it has one. */
  problem: string;
}

class Sending {
  #sent = new SvelteMap<string, Sent>();
  #answers = new Map<string, beckon.Answer>();

  #outbox = new Outbox<beckon.Answer>({
    post: (id, answer) => api.answerQuestion(id, answer),
    conflict: (error) => asBeckonError(error).code === 'conflict',
    changed: (id, state, error) => this.#changed(id, state, error),
    timer: { set: (run, ms) => window.setTimeout(run, ms), clear: (id) => window.clearTimeout(id) },
  });

  constructor() {
    // Both, because WebKit may leave out the one or the other.
    addEventListener('pagehide', () => this.#outbox.flush());
    document.addEventListener('visibilitychange', () => document.hidden && this.#outbox.flush());
  }

  of(id: string): Sent | undefined {
    return this.#sent.get(id);
  }

  /** Whether an answer to the question is on its way, or already taken. */
  isSent(id: string): boolean {
    const state = this.of(id)?.state;
    return state === 'undoable' || state === 'sending' || state === 'sent';
  }

  /** The question among these whose answer came too late, until it is forgotten. */
  late(questions: Iterable<beckon.Question>): beckon.Question | undefined {
    for (const q of questions) if (this.of(q.id)?.state === 'elsewhere') return q;
    return undefined;
  }

  /** Sends after the time to take it back. */
  hold(id: string, answer: beckon.Answer, leftMs: number | null): void {
    this.#answers.set(id, answer);
    this.#outbox.hold(id, answer, leftMs);
  }

  send(id: string, answer: beckon.Answer): void {
    this.#answers.set(id, answer);
    void this.#outbox.send(id, answer);
  }

  undo(id: string): boolean {
    return this.#outbox.undo(id);
  }

  /** Forgets what happened to an answer, once the person has seen it. */
  forget(id: string): void {
    this.#sent.delete(id);
    drafts.drop(id);
  }

  #changed(id: string, state: SendState | undefined, error: unknown): void {
    const answer = this.#answers.get(id);
    if (state === undefined || answer === undefined) {
      this.#sent.delete(id);
      return;
    }
    const failure = error === undefined ? undefined : asBeckonError(error);
    this.#sent.set(id, { state, answer, why: failure ? explain(failure) : '', problem: failure?.problem ?? '' });
    if (state === 'sent') drafts.drop(id);
  }
}

/** The page's answers on their way. */
export const sending = new Sending();
