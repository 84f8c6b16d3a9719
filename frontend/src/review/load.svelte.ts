import { api, asBeckonError, type beckon } from '../bridge';
import { attempt, explain } from '../state';
import { OnceMore } from '../state/onceMore';
import { afterPaint } from '../ui/paint';
import { Ahead } from './ahead.svelte';
import { type ChangedFile, idOf, partOf } from './file';
import type { DiffLook } from './look.svelte';
import { type WholeDiff, WholeReader } from './repositories/read';
import { type Folder, foldersOf } from './tree';

/** Review is a task's branch against its base, as it was last read. */
export class Review {
  diff = $state.raw<WholeDiff>();
  /** Its files, in the order in which they are shown. */
  folders = $state.raw<Folder[]>([]);
  failed = $state('');
  loading = $state(false);
  /** How often the work was looked at, whether all of it is there yet or not. */
  looks = $state(0);
  readonly ahead: Ahead;
  /** The lines of some files are still to come. */
  readonly pending: boolean = $derived(this.diff?.files.some((file) => file.pending) ?? false);
  /** Resolves when all is there that is being read, or cannot be read. */
  whole: Promise<void> = Promise.resolve();

  readonly #reader: WholeReader;
  /** How what is shown was looked at. */
  #seen?: beckon.DiffView;
  readonly #reading = new OnceMore(async () => {
    this.loading = true;
    await this.#read();
    if (!this.#reading.asked) this.loading = false;
  });
  #stopped = false;
  /** Those of which there is as much as can be shown. */
  #alone = new WeakSet<ChangedFile>();

  constructor(
    private readonly taskId: string,
    private readonly look: DiffLook,
    /** Which of the changes are shown. */
    private readonly since: () => string,
    /** Whether the person looks at the beginning of them. */
    private readonly atTop: () => boolean,
  ) {
    this.ahead = new Ahead(() => look.split);
    this.#reader = new WholeReader(taskId);
  }

  /** load reads it again; a call while reading makes it read once more after. */
  load(): Promise<void> {
    return (this.whole = this.#reading.ask());
  }

  /** Nobody looks at it any more. */
  stop(): void {
    this.#stopped = true;
    this.ahead.stop();
  }

  #view(): beckon.DiffView {
    return { ignoreSpace: this.look.ignoreSpace, since: this.since(), start: false };
  }

  /** Whether other changes are asked for, or another look at their beginning: a place in them would be lost. */
  #begins(view: beckon.DiffView): boolean {
    const seen = this.#seen;
    return (
      seen === undefined ||
      seen.since !== view.since ||
      (seen.ignoreSpace !== view.ignoreSpace && this.atTop())
    );
  }

  async #read(): Promise<void> {
    const view = this.#view();
    try {
      if (this.diff && !this.#begins(view)) {
        // What is looked at stays until all of what it is by now can take its place.
        await this.#show(await this.#reader.read(view), Infinity);
        this.#seen = view;
        this.looks++;
        return;
      }
      await this.#show(await this.#reader.read({ ...view, start: true }), 0);
      this.#seen = view;
      await drawn(); // what else is read must not keep the first screen waiting
      this.looks++;
      if (this.pending && !this.#reading.asked && !this.#stopped)
        await this.#show(await this.#reader.read(view), this.ahead.listed);
    } catch (thrown) {
      // What is shown is not what was asked for.
      if (this.diff?.since !== view.since) this.diff = undefined;
      this.failed = explain(asBeckonError(thrown));
    }
  }

  /** Shows changes once so many files of them can be listed. */
  async #show(diff: WholeDiff, least: number): Promise<void> {
    // What was read may be long: to understand it and to look at it are two tasks.
    if (least > 0) await new Promise((done) => setTimeout(done));
    const had = new Map(this.diff?.files.map((file) => [idOf(file), file]));
    // What was read of a file is not read again.
    diff.files = diff.files.map((file) => sameOr(had.get(idOf(file)), file));
    const folders = foldersOf(diff.files);
    await this.ahead.begin(listable(folders), least, () => {
      this.diff = diff;
      this.folders = folders;
      this.failed = '';
    });
  }

  /** Which changes are shown of a file's repository where `since` is asked for: one that nobody reviewed is shown whole. */
  sinceOf({ repository = '' }: ChangedFile, since: string): string {
    const part = this.diff?.parts.find((part) => part.repository === repository);
    return part?.diff?.since ?? since;
  }

  /** Whether more can be shown of a file that was cut. */
  hasMore(file: ChangedFile): boolean {
    return file.cut && !this.#alone.has(file);
  }

  /** Reads more of a file that was cut. */
  async showMore(file: ChangedFile): Promise<void> {
    await attempt(
      async () => {
        const read = await api.diffFile(partOf(this.taskId, file.repository), {
          view: { ...this.#view(), since: this.sinceOf(file, this.since()) },
          path: file.path,
          oldPath: file.oldPath,
        });
        const found = file.repository ? { ...read, repository: file.repository } : read;
        const { diff } = this;
        // What was read again meanwhile has its own.
        if (!diff?.files.includes(file)) return;
        this.#alone.add(found);
        await this.#show(
          { ...diff, files: diff.files.map((one) => (one === file ? found : one)) },
          Infinity,
        );
      },
      { not_found: () => void this.load() },
    );
  }
}

/** Resolves when what was changed is drawn, or soon where the page is not in sight. */
function drawn(): Promise<void> {
  return new Promise((done) => {
    afterPaint(done);
    setTimeout(done, drawnMs);
  });
}

const drawnMs = 200;

/** The first files, as far as their lines are there. */
function listable(folders: Folder[]): ChangedFile[] {
  const files = folders.flatMap((folder) => folder.files);
  const at = files.findIndex((file) => file.pending);
  if (at < 0) return files;
  return files.slice(0, files[at]!.patch === '' ? at : at + 1);
}

function sameOr(had: ChangedFile | undefined, file: ChangedFile): ChangedFile {
  const names = Object.keys(file) as (keyof ChangedFile)[];
  return had && names.every((name) => had[name] === file[name]) ? had : file;
}
