import { untrack } from 'svelte';
import { api, asBeckonError, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { agentOf, attempt, type Command, explain, keyFor, store } from '../state';
import { toasts } from '../ui/toasts.svelte';
import type { Comments } from './comments.svelte';
import { requestOf } from './pulls';

/** The open discussions on a task's pull request, and what goes from the changes to it and back. */
export class Threads {
  list = $state.raw<beckon.Thread[]>([]);
  /** Why they could not be read; empty where they were. */
  failed = $state('');
  /** A comment is on its way to the request. */
  posting = $state(false);
  /** What the request is called; undefined where the task has none. */
  readonly name: string | undefined = $derived.by(() => {
    const task = store.tasks.get(this.comments.taskId);
    return task && requestOf(task, store.pulls.get(task.id));
  });
  /** Those that no comment takes to the agent yet, nor began. */
  readonly left: beckon.Thread[] = $derived.by(() =>
    this.list.filter((one) => this.commentOf(one) === undefined),
  );
  /** Drafts that are not on the request. */
  readonly #drafts: beckon.Comment[] = $derived.by(() =>
    this.comments.list.filter((one) => one.state === 'draft' && one.thread === ''),
  );

  #reads = 0;

  constructor(readonly comments: Comments) {}

  /** Reads them again with every look at the work, and whenever the server was asked how the request is. */
  follow(looks: () => number): void {
    $effect(() => {
      void looks();
      void this.name;
      void store.pulls.get(this.comments.taskId)?.seen;
      untrack(() => void this.load());
    });
  }

  /** Reads them again; of several reads the last counts. */
  async load(): Promise<void> {
    const read = ++this.#reads;
    if (this.name === undefined) {
      [this.list, this.failed] = [[], ''];
      return;
    }
    try {
      const list = await api.pullThreads(this.comments.taskId);
      if (read === this.#reads) [this.list, this.failed] = [list, ''];
    } catch (thrown) {
      if (read === this.#reads) this.failed = explain(asBeckonError(thrown));
    }
  }

  /** The comment that began a discussion, or takes it to the agent. */
  commentOf(thread: beckon.Thread): beckon.Comment | undefined {
    return thread.url === ''
      ? undefined
      : this.comments.list.find((one) => one.thread === thread.url);
  }

  /** Makes drafts for the agent of discussions. */
  async take(threads: beckon.Thread[]): Promise<void> {
    let taken = 0;
    for (const one of threads) {
      const kept = await attempt(() =>
        api.saveComment({
          id: '',
          taskId: this.comments.taskId,
          lines: linesOf(one),
          text: this.#textOf(one),
          thread: one.url,
        }),
      );
      if (!kept) break;
      taken++;
    }
    if (taken > 0)
      toasts.show(t('review.threadKept', { n: taken, agent: agentOf(this.comments.taskId) }), {
        tone: 'ok',
      });
  }

  #textOf(thread: beckon.Thread): string {
    const name = this.name ?? '';
    const said = thread.said.map(({ author, text }) =>
      t('review.threadText', { author: author || t('review.threadNobody'), name, text }),
    );
    return said.join('\n\n').slice(0, longestText);
  }

  /** Closes a discussion on its server. */
  async resolve(thread: beckon.Thread): Promise<void> {
    if (await attempt(() => api.resolveThread(this.comments.taskId, thread.id)))
      this.list = this.list.filter((one) => one.id !== thread.id);
    await this.load();
  }

  /** Posts comments to the request, one after the other up to the first that it refuses. */
  async post(list: beckon.Comment[]): Promise<void> {
    if (this.posting || this.name === undefined || list.length === 0) return;
    const { name } = this;
    this.posting = true;
    let n = 0;
    for (const one of list) {
      if (!(await attempt(() => api.postComment(one.id)))) break;
      n++;
    }
    if (n > 0) toasts.show(t('review.posted', { n, name }), { tone: 'ok' });
    await this.load();
    this.posting = false;
  }

  /** Posts the comment that is being written; it is closed with the key, and a draft until the request has it. */
  async postWritten(): Promise<void> {
    const { writing } = this.comments;
    if (this.name === undefined || !(await this.comments.keep())) return;
    void this.post(this.comments.list.filter((one) => one.id === writing?.id));
  }

  /** Posts all drafts; false where there is none, or no request. */
  postAll(): boolean {
    if (this.name === undefined || this.#drafts.length === 0) return false;
    void this.post(this.#drafts);
    return true;
  }

  /** The lines of the palette. */
  commands(): Command[] {
    const { name, left } = this;
    if (name === undefined) return [];
    const [n, agent] = [left.length, agentOf(this.comments.taskId)];
    const drafts = this.#drafts.length;
    return [
      ...(n > 0
        ? [{ label: t('review.threadsTake', { n, name, agent }), run: () => void this.take(left) }]
        : []),
      ...(drafts > 0
        ? [
            {
              label: t('review.postAll', { n: drafts, name }),
              keys: keyFor('diff', 'post'),
              run: () => void this.postAll(),
            },
          ]
        : []),
    ];
  }
}

/** As many characters of a discussion go into a draft. */
const longestText = 4000;

/** The lines of a discussion as a comment has them, which is about one line at least. */
function linesOf({ path, side, first, last, quote, content }: beckon.Thread): beckon.CommentLines {
  return {
    path: path || '.',
    side,
    first: Math.max(1, first),
    last: Math.max(1, last),
    quote,
    content,
  };
}
