// The page's one outbox, watched, and emptied when the page is left.

import { SvelteMap } from 'svelte/reactivity';
import { api, asBeckonError, type beckon } from '../bridge';
import { explain, store } from '../state';
import { drafts } from './drafts.svelte';
import { Outbox, type SendState } from './outbox';

/** Sent is where the answer to a question is, and why it is not away. */
export interface Sent {
  state: SendState;
  answer: beckon.Answer;
  why: string;
  /** The name of the error, where it has one. */
  problem: string;
  /** How many changes it comes after; -1 for the first answer. */
  changes: number;
}

class Sending {
  #sent = new SvelteMap<string, Sent>();
  #answers = new Map<string, { answer: beckon.Answer; changes: number }>();
  /** The last question that was answered here, and when. */
  last = $state.raw<{ id: string; at: number } | undefined>();

  #outbox = new Outbox<beckon.Answer>({
    post: (id, answer) => this.#post(id, answer),
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

  /** What is on its way to the question and not in its row yet: an answer, or a change of one. */
  underWay(q: beckon.Question): Sent | undefined {
    const sent = this.isSent(q.id) ? this.of(q.id) : undefined;
    if (!sent) return undefined;
    return (sent.changes < 0 ? q.answer === undefined : (q.earlier?.length ?? 0) <= sent.changes)
      ? sent
      : undefined;
  }

  /** The question among these whose answer came too late, until it is forgotten. */
  late(questions: Iterable<beckon.Question>): beckon.Question | undefined {
    for (const q of questions) if (this.of(q.id)?.state === 'elsewhere') return q;
    return undefined;
  }

  /** Sends after the time to take it back, if the person wants one. */
  hold(id: string, answer: beckon.Answer, leftMs: number | null): void {
    this.#answers.set(id, { answer, changes: -1 });
    this.#outbox.hold(id, answer, leftMs, store.settings.takeBackMs);
  }

  send(id: string, answer: beckon.Answer): void {
    this.#answers.set(id, { answer, changes: -1 });
    void this.#outbox.send(id, answer);
  }

  /** Sends an answer in the place of the one that the question has, and reports whether it was taken. */
  change(q: beckon.Question, answer: beckon.Answer): Promise<boolean> {
    this.#answers.set(q.id, { answer, changes: q.earlier?.length ?? 0 });
    return this.#outbox.send(q.id, answer);
  }

  #post(id: string, answer: beckon.Answer): Promise<void> {
    const changes = this.#answers.get(id)?.changes ?? -1;
    return changes < 0 ? api.answerQuestion(id, answer) : api.changeAnswer(id, changes, answer);
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
    const left = this.#answers.get(id);
    if (state === 'sending' || state === 'sent') store.leaving.add(id);
    else store.leaving.delete(id);
    if (state === undefined || left === undefined) {
      this.#sent.delete(id);
      return;
    }
    if (state === 'sending' && left.changes < 0) this.last = { id, at: Date.now() };
    const failure = error === undefined ? undefined : asBeckonError(error);
    this.#sent.set(id, {
      state,
      ...left,
      why: failure ? explain(failure) : '',
      problem: failure?.problem ?? '',
    });
    if (state === 'sent') drafts.drop(id);
  }
}

/** The page's answers on their way. */
export const sending = new Sending();
