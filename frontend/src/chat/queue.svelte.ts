// What is done to messages that the agent has not taken. Each may be too
// late: the agent takes them when its turn ends, whatever the user does.

import { api, asBeckonError, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { explain } from '../state';
import { announcer } from '../ui/announcer.svelte';
import { toasts } from '../ui/toasts.svelte';
import type { Draft } from './draft';
import { messages } from './messages.svelte';

/** The place that is `by` further, within the list; undefined where it is the same. */
export function placeAfter(at: number, by: number, length: number): number | undefined {
  const to = at + by;
  return to < 0 || to >= length || by === 0 ? undefined : to;
}

/** Queued is the queue of one task. */
export class Queued {
  constructor(private readonly taskId: () => string) {}

  /** Replaces what a message says; too late, the words go to the field. */
  async edit(message: beckon.Message, draft: Draft): Promise<void> {
    await this.#change(
      () => api.editMessage(message.id, { ...draft, text: draft.text.trim(), manner: 'queue' }),
      draft,
    );
  }

  /** Moves a message to a place of the queue and says where it is then. */
  async move(message: beckon.Message, to: number, length: number): Promise<void> {
    if (await this.#change(() => api.moveMessage(message.id, to)))
      announcer.interrupt(t('chat.place', { i: to + 1, n: length }));
  }

  /** Removes a message that waits; it can be put back where it was. */
  async remove(message: beckon.Message, at: number): Promise<void> {
    if (!(await this.#change(() => api.removeMessage(message.id)))) return;
    toasts.show(t('chat.removed'), {
      action: { label: t('chat.undo'), run: () => void this.#putBack(message, at) },
    });
  }

  /** Takes a message back that was sent, into the field. */
  async takeBack(message: beckon.Message): Promise<void> {
    if (!(await this.#change(() => api.removeMessage(message.id)))) return;
    messages.add(this.taskId(), { text: message.text, images: message.images });
    toasts.show(t('chat.tookBack'), { tone: 'ok' });
  }

  async #putBack({ text, images }: beckon.Message, at: number): Promise<void> {
    const again = async () => {
      const message = await api.sendMessage(this.taskId(), { text, images, manner: 'queue' });
      if (message.sent === 0) await api.moveMessage(message.id, at);
    };
    await this.#change(again, { text, images });
  }

  /** Where something cannot be changed any more, what was written is put into the field. */
  async #change(what: () => Promise<unknown>, words?: Draft): Promise<boolean> {
    try {
      await what();
      return true;
    } catch (thrown) {
      const why = explain(asBeckonError(thrown));
      if (words) messages.add(this.taskId(), words);
      toasts.show(words ? t('chat.tooLate', { why: why.replace(/\.$/, '') }) : why, {
        tone: 'bad',
        ms: 8000,
      });
      return false;
    }
  }
}
