import { api, asBeckonError, type beckon, type BeckonError } from '../bridge';

const typingMs = 150;
const pageSize = 40;
/** How soon one looks again where nothing was found and the index is not complete. */
const indexMs = 1000;

/** What is searched for, beside the words. Empty fields match all. */
export interface Filter {
  projectId: string;
  taskId: string;
  kind: beckon.EntryKind | '';
}

const all: Filter = { projectId: '', taskId: '', kind: '' };

/**
 * A search through all sessions: waits until typing rests, drops replies to
 * what is no longer asked, and reads on page by page. It keeps what was found
 * for who comes back.
 */
export class Searching {
  text = $state('');
  filter = $state.raw<Filter>(all);
  hits = $state.raw<beckon.Hit[]>([]);
  /** What sessions elsewhere asked. */
  elsewhere = $state.raw<beckon.Question[]>([]);
  /** How many runs the index does not know wholly yet. */
  behind = $state(0);
  /** Whether an answer is under way. */
  busy = $state(false);
  failure = $state.raw<BeckonError | undefined>();
  /** Which of the lines is chosen: of the tasks, then of the hits. */
  at = $state(0);

  #before = $state('');
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lookAgain: ReturnType<typeof setTimeout> | undefined;

  /** Whether there are older hits. */
  get more(): boolean {
    return this.#before !== '';
  }

  type(text: string): void {
    this.text = text;
    this.#restart(typingMs);
  }

  narrow(by: Partial<Filter>): void {
    this.filter = { ...this.filter, ...by };
    this.#restart(0);
  }

  again(): void {
    this.#restart(0);
  }

  /** Reads the next page of what was found. */
  async older(): Promise<void> {
    if (this.more && !this.busy && !this.failure) await this.#read(this.#asked, this.#before);
  }

  /** Chooses another of `all` that are listed: the tasks, then the hits. */
  step(by: number, all: number): void {
    this.at = Math.min(Math.max(0, this.at + by), Math.max(0, all - 1));
  }

  /** Looks again where nothing was found while the index was not complete, since somebody sees it again. */
  look(): void {
    if (this.behind > 0 && this.hits.length === 0) this.#restart(0);
  }

  /** Looks no more on its own, since nobody sees it. */
  pause(): void {
    clearTimeout(this.#lookAgain);
  }

  #restart(ms: number): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lookAgain);
    const asked = ++this.#asked;
    this.failure = undefined;
    this.busy = this.text.trim() !== '';
    if (this.busy) this.#timer = setTimeout(() => void this.#read(asked, ''), ms);
    else {
      this.elsewhere = [];
      this.#show([], '');
    }
  }

  async #read(asked: number, before: string, quietly = false): Promise<void> {
    this.busy = !quietly;
    try {
      const page = await api.search({
        ...this.filter,
        text: this.text.trim(),
        before,
        limit: pageSize,
      });
      if (asked !== this.#asked) return;
      this.behind = page.behind;
      if (before === '') this.elsewhere = page.elsewhere;
      this.#show(
        before === '' ? page.hits : [...this.hits, ...page.hits],
        page.before,
        before !== '',
      );
      if (page.behind > 0 && this.hits.length === 0)
        this.#lookAgain = setTimeout(() => void this.#read(asked, '', true), indexMs);
    } catch (thrown) {
      if (asked === this.#asked) this.failure = asBeckonError(thrown);
    } finally {
      if (asked === this.#asked) this.busy = false;
    }
  }

  #show(hits: beckon.Hit[], before: string, on = false): void {
    this.hits = distinct(hits);
    this.#before = before;
    if (!on) this.at = 0;
  }
}

/** A place may be found more than once: in what was asked of a tool and in what it gave back. */
function distinct(hits: beckon.Hit[]): beckon.Hit[] {
  const known = new Map<string, beckon.Hit>();
  for (const hit of hits) {
    const name = `${hit.runId}/${hit.pos}.${hit.part}`;
    if (!known.has(name)) known.set(name, hit);
  }
  return [...known.values()];
}

/** The page's search, kept while its sheet is closed. */
export const searching = new Searching();
