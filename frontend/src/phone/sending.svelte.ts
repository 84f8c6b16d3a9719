// The page's outbox: kept in the browser, watched, and emptied when the page is
// left or Beckon is back.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { toasts } from '../ui/toasts.svelte';
import { desk } from './desk.svelte';
import { drafts } from './drafts.svelte';
import { keep, kept } from './kept';
import { notes } from './notes.svelte';
import { Outbox, outcomeOf, type Outcome, type Said, undoMs } from './outbox';
import { call, Refused } from './wire';
import { endOf, whyOf } from './words';

class Sending {
  #all = $state.raw<Said[]>(kept<Said[]>('outbox') ?? []);

  #outbox = new Outbox({
    read: () => kept<Said[]>('outbox') ?? [],
    write: (all) => {
      keep('outbox', all.length > 0 ? all : undefined);
      this.#all = all;
    },
    post,
    alone: (run) => (navigator.locks ? navigator.locks.request('beckon-outbox', run) : run()),
    over: (said, outcome) => this.#over(said, outcome),
    now: Date.now,
    later: (run, ms) => void setTimeout(run, ms),
  });

  /** Whether an answer to the question is on its way. */
  has(id: string): boolean {
    return this.#all.some((one) => one.id === id);
  }

  of(id: string): Said | undefined {
    return this.#all.find((one) => one.id === id);
  }

  get all(): Said[] {
    return this.#all;
  }

  /** Answers a question. `leftMs` is what is left on its clock. */
  answer(
    q: { id: string; key: string },
    answer: beckon.Answer,
    sure: boolean,
    words: string,
    leftMs: number | null,
  ): void {
    this.#outbox.put(
      {
        id: q.id,
        kind: 'answer',
        path: `/api/question/${q.id}/answer`,
        body: { answer, sure },
        key: q.key,
        words,
      },
      leftMs,
    );
    this.#offerUndo(
      q.id,
      t(desk.stale ? 'phone.kept' : 'phone.sent', { key: q.key, host: desk.me?.host ?? '' }),
    );
  }

  /** Writes to a task's agent. */
  message(taskId: string, key: string, text: string): void {
    const id = crypto.randomUUID();
    this.#outbox.put(
      {
        id,
        kind: 'message',
        path: `/api/task/${taskId}/message`,
        body: { id, text },
        key,
        words: text,
      },
      null,
    );
    this.#offerUndo(id, t('phone.messageSent', { key }));
  }

  /** Takes back what has not left. */
  undo(id: string): void {
    const key = this.of(id)?.key ?? '';
    const done = this.#outbox.undo(id);
    toasts.show(done ? t('phone.undone', { key }) : t('phone.tooLate'), { ms: 4000 });
  }

  /** Sends what was kept while the page or Beckon was away. */
  begin(): () => void {
    const leave = () => void this.#outbox.hurry();
    const hide = () => document.hidden && leave();
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    leave();
    return () => {
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
    };
  }

  /** Beckon is back. */
  flush(): void {
    void this.#outbox.flush();
  }

  #offerUndo(id: string, text: string): void {
    toasts.show(text, {
      tone: 'ok',
      ms: undoMs,
      action: { label: t('phone.undo'), run: () => this.undo(id) },
    });
  }

  #over(said: Said, outcome: Outcome): void {
    const { id, key, words } = said;
    const host = desk.me?.host ?? '';
    if (outcome.is === 'away') {
      desk.lost();
      toasts.show(t('phone.kept', { key, host }), { ms: 6000 });
      return;
    }
    if (outcome.is === 'refused' && outcome.code === 'unauthorized') {
      void desk.look(); // the device is not known any more, and keeps nothing
      return;
    }
    if (said.kind === 'answer' && outcome.is !== 'refused') drafts.drop(id);
    // One that lay here for a while leaves without anybody who looks.
    if (outcome.is === 'sent' && Date.now() - said.at > 2 * undoMs)
      toasts.show(t('phone.sentLater', { key }), { tone: 'ok' });
    if (outcome.is === 'late')
      notes.add({
        id,
        key,
        words,
        text: outcome.settled
          ? t('phone.late', { key, end: endOf(outcome.settled) })
          : t('phone.lateGone', { key }),
      });
    if (outcome.is === 'refused')
      notes.add({ id, key, words, text: whyOf(outcome.code, outcome.why, host) });
  }
}

async function post(said: Said): Promise<Outcome> {
  try {
    await call('POST', said.path, said.body);
    return { is: 'sent' };
  } catch (error) {
    return error instanceof Refused ? outcomeOf(error) : { is: 'away' };
  }
}

export const sending = new Sending();
