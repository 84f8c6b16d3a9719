import { SvelteMap } from 'svelte/reactivity';
import { api, type beckon } from '../bridge';
import { attempt } from '../state';

/** The files of a task's changes that the person viewed. One that changes is not viewed any more. */
export class Viewed {
  /** What each was, by its path. */
  #contents = new SvelteMap<string, string>();

  constructor(private readonly taskId: string) {}

  async load(): Promise<void> {
    await attempt(async () => {
      for (const [path, content] of Object.entries(await api.viewed(this.taskId))) this.#contents.set(path, content);
    });
  }

  has(file: beckon.FileDiff): boolean {
    return this.#contents.get(file.path) === file.content;
  }

  /** Marks a file, or takes the mark away. */
  async mark(file: beckon.FileDiff, viewed: boolean): Promise<void> {
    if (viewed) this.#contents.set(file.path, file.content);
    else this.#contents.delete(file.path);
    await attempt(() => api.markViewed(this.taskId, file.path, viewed ? file.content : ''));
  }
}
