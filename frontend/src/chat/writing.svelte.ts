// The message that is being written: what Enter does with it, and how it leaves.

import { api, asBeckonError, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { answerOf, complete, nextUnanswered, typeOther } from '../question/draft';
import { drafts } from '../question/drafts.svelte';
import { Debounce } from '../question/debounce';
import { holding } from '../question/holding.svelte';
import { sending } from '../question/sending.svelte';
import { explain, store } from '../state';
import { toasts } from '../ui/toasts.svelte';
import { type Target, targetOf } from './target';
import { blank, type Draft } from './draft';
import { asBlock, kindOf, mostImages, withImage } from './imageSize';
import { messages } from './messages.svelte';
import { pictures } from './pictures.svelte';
import { start } from './start';

/** Writing is what a composer does, apart from how it looks. */
export class Writing {
  /** How many pictures are on their way to Beckon; a message waits for them. */
  arriving = $state(0);
  /** A question that appears while somebody writes takes no Enter for a moment. */
  readonly debounce = new Debounce();

  constructor(
    readonly task: () => beckon.Task,
    readonly run: () => beckon.Run | undefined,
  ) {}

  get draft(): Draft {
    return messages.of(this.task().id);
  }

  get text(): string {
    return this.draft.text;
  }

  set text(text: string) {
    messages.set(this.task().id, { ...this.draft, text });
    const { target } = this;
    if ('question' in target && text.trim() !== '') holding.write(target.question);
  }

  get target(): Target {
    const task = this.task();
    const waiting = (store.waitingByTask.get(task.id) ?? []).filter((q) => !sending.isSent(q.id));
    return targetOf({ task, run: this.run(), waiting, draft: this.draft });
  }

  /** Whether there is something that could leave. */
  get ready(): boolean {
    return !blank(this.draft) && this.arriving === 0 && this.target.kind !== 'none';
  }

  /** Sends what is written to where Enter sends it; with `queue`, to the next turn. */
  async send(queue = false): Promise<void> {
    if (!this.ready) return;
    const target = this.target;
    if ('question' in target && !queue) {
      if (this.debounce.allows('Enter')) this.#answer(target);
    } else if (
      await this.#post(
        queue || target.kind === 'queue' || target.kind === 'start' ? 'queue' : 'redirect',
      )
    ) {
      if (target.kind === 'start' && !queue) await start(this.task(), target.chat);
    }
  }

  /** Takes files that were pasted, dropped or chosen. */
  async take(files: Iterable<File>): Promise<void> {
    await Promise.all([...files].map((file) => this.#takeFile(file)));
  }

  dropImage(image: beckon.Image): void {
    messages.set(this.task().id, {
      ...this.draft,
      images: this.draft.images.filter((one) => one.id !== image.id),
    });
  }

  async #post(manner: beckon.Manner): Promise<boolean> {
    const { id } = this.task();
    try {
      await messages.send(id, (draft) =>
        api.sendMessage(id, { ...draft, text: draft.text.trim(), manner }),
      );
      return true;
    } catch (error) {
      toasts.show(t('chat.notSent', { why: explain(asBeckonError(error)) }), {
        tone: 'bad',
        ms: 8000,
      });
      return false;
    }
  }

  /** The words become the card's: where they cannot be sent it shows them and why. */
  #answer({ kind, question }: Extract<Target, { question: beckon.Question }>): void {
    const before = drafts.of(question);
    const words = this.text.trim();
    const page = Math.max(0, Math.min(before.page, question.items.length - 1));
    const draft =
      kind === 'answer'
        ? typeOther(question, before, page, words)
        : { ...before, verdict: 'deny' as const, text: words };
    const whole = complete(question, draft);
    drafts.set(question, whole ? draft : { ...draft, page: nextUnanswered(draft, page) });
    this.text = '';
    if (whole) sending.send(question.id, answerOf(question, draft));
  }

  async #takeFile(file: File): Promise<void> {
    const kind = kindOf(file);
    if (kind === 'image') return this.#takeImage(file);
    const block = kind === 'text' ? asBlock(file.name, await file.text()) : undefined;
    if (block !== undefined) messages.add(this.task().id, { text: block, images: [] });
    else
      toasts.show(
        t(kind === 'tooBig' ? 'chat.fileTooBig' : 'chat.fileUnknown', { name: file.name }),
        { tone: 'bad' },
      );
  }

  async #takeImage(file: File): Promise<void> {
    const { id } = this.task();
    if (this.draft.images.length + this.arriving >= mostImages)
      return toasts.show(t('chat.tooManyImages', { n: mostImages }), { tone: 'bad' });
    this.arriving++;
    try {
      const image = await pictures.keep(file);
      const draft = messages.of(id);
      messages.set(id, { ...draft, images: withImage(draft.images, image) });
    } catch (error) {
      toasts.show(t('chat.imageFailed', { name: file.name, why: explain(asBeckonError(error)) }), {
        tone: 'bad',
        ms: 8000,
      });
    } finally {
      this.arriving--;
    }
  }
}
