import { api, asBeckonError, type beckon, type BeckonError } from '../bridge';
import { beyond, entryKey, merge, type Place } from './entries';
import { Table } from './table.svelte';
import { Window } from './window';

const pageSize = 200;
/** How many entries are kept at hand; pages far from the reader go beyond it. */
const most = 1500;
/** How far the live end may grow past that before it is read anew. */
const slack = 500;

/** What a transcript could not do, and how to try it again. */
export interface Failure {
  error: BeckonError;
  again: () => Promise<void>;
}

/**
 * A stretch of one task's transcript, kept up to date while somebody shows it.
 * It can be read on in both directions and moved to any place; only at the end
 * does it follow what the agent says. `store.open` makes it, `store.close`
 * ends it.
 */
export class Transcript {
  readonly taskId: string;
  /** In order; a new list whenever anything in it changed. */
  entries = $state.raw<beckon.Entry[]>([]);
  /** What each run is writing at this moment. */
  readonly live = new Table<beckon.Live>();
  /** Whether the first page has come. */
  loaded = $state(false);
  /** What could not be read; what was read before stays. */
  failure = $state.raw<Failure | undefined>();
  /** Every run and question of the task, as of the last load. */
  pastRuns = $state.raw<beckon.Run[]>([]);
  pastQuestions = $state.raw<beckon.Question[]>([]);
  /** How long the thoughts took that were watched, in milliseconds, by the key of their entry. */
  readonly thoughts = new Map<string, number>();
  /** Where the reader is; undefined at the end. Only a plain value, which whoever shows the transcript keeps. */
  reading: Place | undefined;

  /** Since when each run thinks. */
  #thinking = new Map<string, number>();
  #window = new Window();
  #bounds = $state.raw({ before: '', after: '' });
  /** How many pages are on their way. */
  #reads = $state(0);
  /** Counts windows, so that a neighbour of one that was left is dropped. */
  #windows = 0;
  /** Counts wishes to be elsewhere, of which the last one holds. */
  #wishes = 0;
  /** What came while a page was read that may turn out to be the last one. */
  #held: beckon.Entry[] = [];
  #runNumber: (runId: string) => number | undefined;

  constructor(taskId: string, runNumber: (runId: string) => number | undefined) {
    this.taskId = taskId;
    this.#runNumber = runNumber;
  }

  /** Whether a page is on its way. */
  get loading(): boolean {
    return this.#reads > 0;
  }

  /** Whether there is an older page. */
  get more(): boolean {
    return this.#bounds.before !== '';
  }

  /** Whether there is a newer page: then the end is elsewhere. */
  get newer(): boolean {
    return this.#bounds.after !== '';
  }

  /**
   * Reads what the task's runs and questions were and, unless the reader is
   * elsewhere, the last page.
   */
  load(): Promise<void> {
    const again = () => this.load();
    return this.#read(again, async () => {
      const last = this.newer ? undefined : api.transcript(this.taskId, '', pageSize);
      const [page, runs, questions] = await Promise.all([last, api.runs(this.taskId), api.questions(this.taskId)]);
      this.pastRuns = runs;
      this.pastQuestions = questions;
      if (page !== undefined && !this.newer) this.#takeLast(page);
      this.loaded = true;
    });
  }

  /** Reads the page before the oldest entry. */
  older(): Promise<void> {
    const again = () => this.older();
    return this.#step(again, this.#bounds.before, async (before) => {
      const page = await api.transcript(this.taskId, before, pageSize);
      return () => {
        this.#window.prepend(page);
        this.#add(page.entries, 'newest');
      };
    });
  }

  /** Reads the page after the newest entry; after the last one the end is followed again. */
  later(): Promise<void> {
    const again = () => this.later();
    return this.#step(again, this.#bounds.after, async (after) => {
      this.#held = [];
      const page = await api.transcriptAfter(this.taskId, after, pageSize);
      return () => {
        this.#window.append(page);
        this.#add(page.after === '' ? [...page.entries, ...this.#held] : page.entries, 'oldest');
      };
    });
  }

  /** Moves to a place; where it is at hand nothing is read. */
  async moveTo(place: Place): Promise<void> {
    if (this.#has(place)) return;
    await this.#move(() => this.moveTo(place), () => api.transcriptAround(this.taskId, place, pageSize));
  }

  /** Moves to the end, which is followed from then on. */
  async toEnd(): Promise<void> {
    this.reading = undefined;
    if (!this.newer) return;
    this.#held = [];
    await this.#move(() => this.toEnd(), () => api.transcript(this.taskId, '', pageSize));
  }

  /** Takes the entries and live text of a frame. */
  take(events: beckon.Event[]): void {
    const entries: beckon.Entry[] = [];
    for (const { entry, live } of events) {
      if (entry) {
        entries.push(entry);
        this.#takeThought(entry);
      }
      if (live) this.#takeLive(live);
    }
    if (entries.length === 0) return;
    if (!this.newer) return this.#add(entries, this.reading === undefined ? 'oldest' : 'newest');
    // Elsewhere only what is shown changes; what is new is read when the reader gets there.
    if (this.loading) this.#held.push(...entries);
    const known = new Set(this.entries.map(entryKey));
    this.#add(entries.filter((entry) => known.has(entryKey(entry))), 'oldest');
  }

  /** Reads, and notes what went wrong, which it throws too. */
  async #read(again: () => Promise<void>, what: () => Promise<void>): Promise<void> {
    this.#reads++;
    this.failure = undefined;
    try {
      await what();
    } catch (thrown) {
      this.failure = { error: asBeckonError(thrown), again };
      throw thrown;
    } finally {
      this.#reads--;
    }
  }

  /** Reads a neighbouring page, one at a time; it is put in place unless the reader has gone elsewhere. */
  async #step(again: () => Promise<void>, cursor: string, what: (cursor: string) => Promise<() => void>): Promise<void> {
    if (cursor === '' || this.loading) return;
    const window = this.#windows;
    await this.#read(again, async () => {
      const place = await what(cursor);
      if (window === this.#windows) place();
    });
  }

  /** Shows a page of elsewhere, unless the reader wishes for another one meanwhile. */
  #move(again: () => Promise<void>, page: () => Promise<beckon.TranscriptPage>): Promise<void> {
    const wish = ++this.#wishes;
    return this.#read(again, async () => {
      const read = await page();
      if (wish === this.#wishes) this.#show(read);
    });
  }

  /**
   * Before a last page that no known entry reaches into there would be a gap,
   * so what is older goes. What came while the page was read stays.
   */
  #takeLast(page: beckon.TranscriptPage): void {
    const known = new Set(this.entries.map(entryKey));
    if (!page.entries.some((entry) => known.has(entryKey(entry)))) {
      this.entries = beyond(this.entries, page.entries, (id) => this.#number(id));
      this.#begin(page);
    }
    this.#add(page.entries, 'oldest');
  }

  /** Shows a page in place of everything; what came while it was read follows its end. */
  #show(page: beckon.TranscriptPage): void {
    const number = (id: string) => this.#number(id);
    this.entries = page.after === '' ? beyond(merge(this.entries, this.#held, number), page.entries, number) : [];
    this.#begin(page);
    this.#add(page.entries, 'oldest');
  }

  #begin(page: beckon.TranscriptPage): void {
    this.#window = new Window([page]);
    this.#windows++;
  }

  #takeLive(live: beckon.Live): void {
    if (live.text === '') this.live.delete(live.runId);
    else this.live.set(live.runId, live);
    if (live.text === '') return;
    if (!live.thinking) this.#thinking.delete(live.runId);
    else if (!this.#thinking.has(live.runId)) this.#thinking.set(live.runId, Date.now());
  }

  /** The log does not know when a thought began; who watched it does. */
  #takeThought(entry: beckon.Entry): void {
    const began = this.#thinking.get(entry.runId);
    if (entry.kind !== 'thinking' || entry.parent !== '' || began === undefined) return;
    this.thoughts.set(entryKey(entry), Date.now() - began);
    this.#thinking.delete(entry.runId);
  }

  /** Adds entries; where they become too many, those at one end go. */
  #add(entries: beckon.Entry[], from: 'oldest' | 'newest'): void {
    const number = (id: string) => this.#number(id);
    const all = merge(this.entries, entries, number);
    this.entries = this.#window.trim(all, { most, from, reading: this.reading }, number);
    this.#bounds = { before: this.#window.before, after: this.#window.after };
    const long = this.entries.length > most + slack;
    if (long && !this.loading && this.failure === undefined) void this.#shorten().catch(() => {}); // `failure` tells
  }

  /** A live end that has grown long is read anew, where the reader is: it has no cursors within. */
  #shorten(): Promise<void> {
    const { reading, taskId } = this;
    const page = () => (reading === undefined ? api.transcript(taskId, '', pageSize) : api.transcriptAround(taskId, reading, pageSize));
    return this.#move(() => this.load(), page);
  }

  #has(place: Place): boolean {
    return this.entries.some((entry) => entry.runId === place.runId && entry.pos === place.pos);
  }

  #number(runId: string): number {
    // A run that nobody has told of yet can only be the newest.
    return this.#runNumber(runId) ?? this.pastRuns.find((run) => run.id === runId)?.number ?? Infinity;
  }
}
