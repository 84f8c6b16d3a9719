import { untrack } from 'svelte';
import { api, asBeckonError, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import {
  agentOf,
  attempt,
  type Command,
  explain,
  keyFor,
  lately,
  sheets,
  store,
  undoMs,
} from '../state';
import { toasts } from '../ui/toasts.svelte';
import type { Writing } from './row';

/** How long nobody types before a draft is kept. */
const restMs = 400;

/** The comments on a task's changes, and the one that is being written: kept as it is typed. */
export class Comments {
  list = $state.raw<beckon.Comment[]>([]);
  writing = $state<Writing>();
  sending = $state(false);
  /** Those that were not sent, the one that is being written too. */
  readonly drafts = $derived(
    this.list.filter((one) => one.state === 'draft').length +
      (this.writing && this.writing.id === '' && this.writing.text.trim() !== '' ? 1 : 0),
  );

  #timer: ReturnType<typeof setTimeout> | undefined;
  #saved = '';
  /** Saves follow each other: the first one gives the comment its id. */
  #saves: Promise<boolean> = Promise.resolve(true);
  #reads = 0;
  /** Those that were deleted here: what was read before may have them still. */
  #gone = new Set<string>();

  constructor(readonly taskId: string) {}

  /** Reads them again with every look at the work, on which it depends where lines are, and every change. */
  follow(looks: () => number): void {
    $effect(() => {
      void looks();
      void store.comments.get(this.taskId)?.changed;
      untrack(() => void this.load());
    });
  }

  /** Reads them again; of several reads the last counts. */
  async load(): Promise<void> {
    const read = ++this.#reads;
    if (!store.comments.get(this.taskId)) {
      this.list = [];
      return;
    }
    try {
      const list = await api.comments(this.taskId);
      await this.#saves; // the one that is being written may be in the list, and does not know its id yet
      if (read === this.#reads) this.list = list.filter((one) => !this.#gone.has(one.id));
    } catch (thrown) {
      toasts.show(explain(asBeckonError(thrown)), { tone: 'bad', ms: 8000 });
    }
  }

  /** Begins a comment, or goes on with a draft; what was being written is kept. */
  async open(lines: beckon.CommentLines, draft?: beckon.Comment): Promise<void> {
    if (!(await this.keep())) return;
    this.#saved = draft?.text ?? '';
    this.writing = { id: draft?.id ?? '', lines, text: draft?.text ?? '' };
  }

  type(text: string): void {
    if (!this.writing) return;
    this.writing.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), restMs);
  }

  /** Keeps what is typed by now. */
  save(): Promise<boolean> {
    clearTimeout(this.#timer);
    const { writing } = this;
    if (writing) this.#saves = this.#saves.then(() => this.#write(writing));
    return this.#saves;
  }

  async #write(writing: Writing): Promise<boolean> {
    const { text } = writing;
    if (text.trim() === '' || text === this.#saved) return true;
    const save = async () => {
      const kept = await api.saveComment({
        id: writing.id,
        taskId: this.taskId,
        lines: $state.snapshot(writing.lines),
        text,
        thread: '',
      });
      writing.id = kept.id;
      this.#saved = text;
      this.list = [...this.list.filter((one) => one.id !== kept.id), kept];
    };
    return attempt(save, {
      // Deleted in another window: it is a new one then.
      not_found: () => (writing.id = ''),
    });
  }

  /** Closes the comment that is being written; without words it is deleted. */
  async keep(): Promise<boolean> {
    const { writing } = this;
    if (!writing) return true;
    if (writing.text.trim() === '') {
      await this.drop();
      return true;
    }
    const kept = await this.save();
    if (kept && this.writing === writing) this.writing = undefined;
    return kept;
  }

  /** Deletes the comment that is being written. */
  async drop(): Promise<void> {
    clearTimeout(this.#timer);
    const { writing } = this;
    await this.#saves;
    if (!writing || this.writing !== writing) return;
    const gone = this.remove($state.snapshot(writing)); // it is out of the list before it would be shown as a draft
    this.writing = undefined;
    await gone;
  }

  /** Deletes a draft; its words come back by Undo. */
  async remove({ id, lines, text }: Writing, thread = ''): Promise<void> {
    this.#gone.add(id);
    this.list = this.list.filter((one) => one.id !== id);
    const deleted = id === '' ? Promise.resolve(true) : attempt(() => api.deleteComment(id));
    if (text.trim() !== '') {
      const undo = async () =>
        (await deleted) &&
        attempt(() => api.saveComment({ id: '', taskId: this.taskId, lines, text, thread }));
      lately.did(undo);
      toasts.show(t('review.commentDeleted'), {
        ms: undoMs,
        action: { label: t('app.undo'), keys: 'Mod Z', run: () => lately.undo(undo) },
      });
    }
    if (await deleted) return;
    this.#gone.delete(id);
    await this.load();
  }

  async resolve(one: beckon.Comment, resolved: boolean): Promise<void> {
    await attempt(() => api.resolveComment(one.id, resolved));
  }

  /** Sends all drafts. */
  async send(): Promise<void> {
    if (this.sending || !(await this.keep()) || this.drafts === 0) return;
    this.sending = true;
    try {
      const n = await api.sendComments(this.taskId);
      toasts.show(t('review.commentsSent', { agent: agentOf(this.taskId), n }), { tone: 'ok' });
    } catch (thrown) {
      const project = store.tasks.get(this.taskId)?.projectId ?? '';
      const again = () => this.send();
      await attempt(() => Promise.reject(asBeckonError(thrown)), {
        untrusted: () => sheets.trust(project, again),
      });
    }
    this.sending = false;
  }

  /** The lines of the palette; `comment` is what comments on a hunk, where there is one to comment on. */
  commands(comment: (() => void) | undefined): Command[] {
    return [
      ...(comment
        ? [{ label: t('review.commentOnHunk'), keys: keyFor('diff', 'comment'), run: comment }]
        : []),
      ...(this.drafts > 0
        ? [
            {
              label: t('review.sendComments', { n: this.drafts }),
              keys: keyFor('diff', 'send'),
              run: () => void this.send(),
            },
          ]
        : []),
    ];
  }
}
