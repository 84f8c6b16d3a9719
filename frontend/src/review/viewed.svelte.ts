import { SvelteMap } from 'svelte/reactivity';
import { api } from '../bridge';
import { attempt } from '../state';
import { type ChangedFile, idOf, partOf } from './file';

/** The files of a task's changes that the person viewed. One that changes is not viewed any more. */
export class Viewed {
  /** What each was, by its repository and path. */
  #contents = new SvelteMap<string, string>();

  constructor(
    private readonly taskId: string,
    /** Which of the changes are shown: who viewed a file in a turn has not viewed all of it. */
    private readonly since: () => string,
  ) {}

  #key(file: ChangedFile): string {
    const since = this.since();
    return since === '' ? file.path : `${since}:${file.path}`;
  }

  #id(file: ChangedFile): string {
    return idOf({ repository: file.repository ?? '', path: this.#key(file) });
  }

  /** Reads those of each repository as soon as it is known, by its name; "" is the task's own, and always there. */
  follow(repositories: () => string[]): void {
    const names = $derived([...new Set(['', ...repositories()])].join('\n'));
    $effect(() => names.split('\n').forEach((name) => void this.#load(name)));
  }

  async #load(repository: string): Promise<void> {
    await attempt(async () => {
      const read = await api.viewed(partOf(this.taskId, repository));
      for (const [path, content] of Object.entries(read))
        this.#contents.set(idOf({ repository, path }), content);
    });
  }

  has(file: ChangedFile): boolean {
    return this.#contents.get(this.#id(file)) === file.content;
  }

  /** Marks a file, or takes the mark away. */
  async mark(file: ChangedFile, viewed: boolean): Promise<void> {
    const id = this.#id(file);
    if (viewed) this.#contents.set(id, file.content);
    else this.#contents.delete(id);
    await attempt(() =>
      api.markViewed(
        partOf(this.taskId, file.repository),
        this.#key(file),
        viewed ? file.content : '',
      ),
    );
  }
}
