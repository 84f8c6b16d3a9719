import { SvelteMap } from 'svelte/reactivity';
import { api, type beckon } from '../bridge';
import { attempt } from '../state';

/** The files of a task's changes that the person viewed. One that changes is not viewed any more. */
export class Viewed {
  /** What each was, by its path. */
  #contents = new SvelteMap<string, string>();

  constructor(
    private readonly taskId: string,
    /** Which of the changes are shown: who viewed a file in a turn has not viewed all of it. */
    private readonly since: () => string,
  ) {}

  #key(file: beckon.FileDiff): string {
    const since = this.since();
    return since === '' ? file.path : `${since}:${file.path}`;
  }

  async load(): Promise<void> {
    await attempt(async () => {
      for (const [path, content] of Object.entries(await api.viewed(this.taskId)))
        this.#contents.set(path, content);
    });
  }

  has(file: beckon.FileDiff): boolean {
    return this.#contents.get(this.#key(file)) === file.content;
  }

  /** Marks a file, or takes the mark away. */
  async mark(file: beckon.FileDiff, viewed: boolean): Promise<void> {
    const key = this.#key(file);
    if (viewed) this.#contents.set(key, file.content);
    else this.#contents.delete(key);
    await attempt(() => api.markViewed(this.taskId, key, viewed ? file.content : ''));
  }
}
