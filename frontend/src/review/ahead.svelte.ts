import type { beckon } from '../bridge';
import { readPart } from './rows';

/** As many characters of diffs are read before any are shown: some screens. */
const first = 40_000;
/** As long is read at a time, in milliseconds; between two times the page answers keys and the wheel. */
const sliceMs = 8;

/** Ahead reads the diffs of many files in parts, so that the page never waits for all of them. */
export class Ahead {
  /** How many files can be listed, in the order of the tree. */
  listed = $state(0);

  #files: beckon.FileDiff[] = [];
  #next = 0;
  /** The characters that were read, and those that were when files were listed last. */
  #read = 0;
  #shown = 0;
  #begins = 0;
  #follows = 0;

  constructor(private readonly split: () => boolean) {}

  get done(): boolean {
    return this.listed >= this.#files.length;
  }

  /** Begins with other files and returns once the first of them can be listed, at least so many; it says so in `swap`. The others follow. */
  async begin(files: beckon.FileDiff[], least: number, swap: () => void): Promise<void> {
    const run = ++this.#begins;
    this.#follows++;
    const begun = { files, next: 0, read: 0 };
    if (least > 0) await pause();
    while (
      run === this.#begins &&
      begun.next < files.length &&
      (begun.next < least || begun.read < first)
    ) {
      slice(begun, this.split());
      if (begun.next < files.length) await pause();
    }
    if (run !== this.#begins) return;
    this.#files = files;
    this.#next = begun.next;
    this.#read = begun.read;
    swap();
    this.#list();
    void this.#follow(++this.#follows);
  }

  /** Reads what is left at once, for who goes there. */
  finish(): void {
    this.#follows++;
    const rest = { files: this.#files, next: this.#next, read: 0 };
    while (rest.next < rest.files.length) slice(rest, this.split());
    this.#next = rest.next;
    this.#list();
  }

  stop(): void {
    this.#begins++;
    this.#follows++;
  }

  async #follow(run: number): Promise<void> {
    const rest = { files: this.#files, next: this.#next, read: this.#read };
    while (rest.next < rest.files.length) {
      await pause();
      if (run !== this.#follows) return;
      slice(rest, this.split());
      this.#next = rest.next;
      this.#read = rest.read;
      // Each time twice as many: to list them costs as much as there are.
      if (rest.read >= 2 * this.#shown || rest.next === rest.files.length) this.#list();
    }
  }

  #list(): void {
    this.#shown = this.#read;
    this.listed = this.#next;
  }
}

/** How far files are read. */
interface Progress {
  files: beckon.FileDiff[];
  next: number;
  read: number;
}

/** Reads for one slice of time, but at least something. */
function slice(progress: Progress, split: boolean): void {
  for (const began = performance.now(); progress.next < progress.files.length;) {
    const file = progress.files[progress.next]!;
    if (readPart(file, split)) {
      progress.next++;
      progress.read += file.patch.length + file.path.length;
    }
    if (performance.now() - began >= sliceMs) return;
  }
}

function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}
