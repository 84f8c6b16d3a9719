import { api, asBeckonError, type beckon, type BeckonError } from '../bridge';
import { beyond, entryKey, merge, order, type Place } from './entries';
import { Table } from './table.svelte';
import { after, trim, type Bounds, type Window } from './window';

const pageSize = 200;
/** How many entries are kept loaded for a reader, for one who follows the end, for one who only glances at it, and for one who left. */
const most = { reading: 1500, following: 600, glancing: 240, seen: 150 };
/** How much of the end is read while more comes than can be shown, and after how many milliseconds again. */
const flood = { following: { size: 100, ms: 200 }, glancing: { size: 60, ms: 1000 } };

/** What a transcript could not do, and how to try it again. */
export interface Failure {
  error: BeckonError;
  again: () => Promise<void>;
}

/** What was shown of a transcript. */
export interface Seen extends Window {
  pastRuns: beckon.Run[];
  pastQuestions: beckon.Question[];
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
  /** Where the reader is; undefined at the end. Only a plain value, which the view of the transcript keeps. */
  reading: Place | undefined;
  /** Whether it is only glanced at: then little is kept, and a flood is looked at less often. */
  glanced = false;

  /** Since when each run thinks. */
  #thinking = new Map<string, number>();
  #bounds = $state.raw<Bounds>({ before: '', after: '' });
  /** How many entries it took to fill the view of who follows the end. */
  #room = 0;
  /** Whether something may be missing between what is loaded and what comes. */
  #torn = false;
  /** How many readings of the end are on their way, since when there was none, and the next one. */
  #mending = 0;
  #mended = 0;
  #nextMend: ReturnType<typeof setTimeout> | undefined;
  /** How many pages are on their way. */
  #reads = $state(0);
  /** Counts windows, so that a neighbour of one that was left is dropped. */
  #windows = 0;
  /** Counts wishes to be elsewhere, of which the last one holds. */
  #wishes = 0;
  /** What came while a page was read that may turn out to be the last one. */
  #held: beckon.Entry[] = [];
  #runNumber: (runId: string) => number | undefined;

  constructor(taskId: string, runNumber: (runId: string) => number | undefined, seen?: Seen) {
    this.taskId = taskId;
    this.#runNumber = runNumber;
    if (seen === undefined) return;
    this.entries = seen.entries;
    this.#bounds = seen.bounds;
    this.pastRuns = seen.pastRuns;
    this.pastQuestions = seen.pastQuestions;
    this.#torn = true; // nobody knows yet what came since
  }

  /** The end, for who comes back; undefined where it is not loaded. */
  seen(): Seen | undefined {
    if (!this.loaded || this.newer || this.#torn || this.failure) return undefined;
    const { entries, bounds } = trim(
      { entries: this.entries, bounds: this.#bounds },
      { most: most.seen, from: 'oldest' },
      (id) => this.#number(id),
    );
    return { entries, bounds, pastRuns: this.pastRuns, pastQuestions: this.pastQuestions };
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
      const past = Promise.all([api.runs(this.taskId), api.questions(this.taskId)]);
      const told = past.then(([runs, questions]) => {
        this.pastRuns = runs;
        this.pastQuestions = questions;
      });
      await (this.newer ? told : this.#mend(pageSize, told));
      this.loaded = true;
    });
  }

  /** Forgets what is being written: it may be complete by now. Who is watched tells it again. */
  forgetLive(): void {
    for (const runId of [...this.live.keys()]) this.live.delete(runId);
  }

  /** Reads nothing more on its own. */
  close(): void {
    clearTimeout(this.#nextMend);
  }

  /** Reads the page before the oldest entry. */
  older(): Promise<void> {
    const again = () => this.older();
    return this.#step(again, this.#bounds.before, async (before) => {
      const page = await api.transcript(this.taskId, before, pageSize);
      return () => {
        this.#bounds = { ...this.#bounds, before: page.before };
        this.#room = Math.min(most.reading, this.entries.length + page.entries.length + pageSize);
        this.#add(page.entries, 'newest');
      };
    });
  }

  /** Reads the page after the newest entry; after the last one the end is followed again. */
  later(): Promise<void> {
    const again = () => this.later();
    return this.#step(again, this.#bounds.after, async (after) => {
      this.#hold();
      const page = await api.transcriptAfter(this.taskId, after, pageSize);
      return () => {
        this.#bounds = { ...this.#bounds, after: page.after };
        this.#add(page.after === '' ? [...page.entries, ...this.#held] : page.entries, 'oldest');
        if (this.#torn) this.#mendSoon();
      };
    });
  }

  /** Moves to a place; where it is loaded nothing is read. */
  async moveTo(place: Place): Promise<void> {
    if (this.#has(place)) return;
    await this.#move(
      () => this.moveTo(place),
      () => api.transcriptAround(this.taskId, place, pageSize),
    );
  }

  /** Moves to the end, which is followed from then on. */
  async toEnd(): Promise<void> {
    this.reading = undefined;
    if (!this.newer) return;
    this.#hold();
    await this.#move(
      () => this.toEnd(),
      () => api.transcript(this.taskId, '', pageSize),
    );
  }

  /**
   * Takes the entries and live text of a frame. One that tells that some were
   * left out has the end read again.
   */
  take(events: beckon.Event[]): void {
    const entries: beckon.Entry[] = [];
    for (const { entry, live } of events) {
      if (entry) {
        entries.push(entry);
        this.#takeThought(entry);
      }
      if (live) this.#takeLive(live);
    }
    const tears = events.some((event) => event.reload === this.taskId);
    if (tears) this.#tear();
    if (entries.length > 0) this.#takeEntries(entries, tears);
  }

  /** What follows on a gap is not put next to what was before it: the page that is read then has both. */
  #takeEntries(entries: beckon.Entry[], tears: boolean): void {
    if (!this.newer && !this.#torn && this.#mending === 0) {
      const fresh = this.#withoutOlder(entries);
      return this.#add(fresh, this.reading === undefined ? 'oldest' : 'newest');
    }
    // Elsewhere only what is shown changes; what is new is read when the reader gets there.
    if (this.loading && !tears) this.#held.push(...entries);
    const known = new Set(this.entries.map(entryKey));
    const shown = entries.filter((entry) => known.has(entryKey(entry)));
    if (shown.length > 0) this.#add(shown, 'oldest');
  }

  /** The result of a call that is no longer loaded is shown when that is read again. */
  #withoutOlder(entries: beckon.Entry[]): beckon.Entry[] {
    const first = this.entries[0];
    if (!this.more || first === undefined) return entries;
    return entries.filter((entry) => order(first, entry, (id) => this.#number(id)) <= 0);
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
  async #step(
    again: () => Promise<void>,
    cursor: string,
    what: (cursor: string) => Promise<() => void>,
  ): Promise<void> {
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

  /** Gathers what comes from here on, for the page that is about to be read. */
  #hold(): void {
    this.#held = [];
    this.#torn = false;
  }

  #tear(): void {
    this.#hold();
    this.#torn = true;
    this.#mendSoon();
  }

  /** Has the end read again, but in a flood not as often as it tells of itself. */
  #mendSoon(): void {
    if (this.newer || this.#mending > 0 || this.#nextMend !== undefined) return;
    const { size, ms } = this.glanced ? flood.glancing : flood.following;
    const again = () => this.#read(again, () => this.#mend(size));
    this.#nextMend = setTimeout(
      () => {
        this.#nextMend = undefined;
        this.#mended = Date.now();
        if (!this.newer) void again().catch(() => {}); // `failure` tells
      },
      Math.max(0, this.#mended + ms - Date.now()),
    );
  }

  /** Reads the end, and puts it in place after something else is there; what comes meanwhile follows it. */
  async #mend(size: number, first?: Promise<void>): Promise<void> {
    const window = this.#windows;
    this.#hold();
    this.#mending++;
    try {
      const [page] = await Promise.all([api.transcript(this.taskId, '', size), first]);
      // Of two that read the end at once the first may have put another window there.
      if (window !== this.#windows) this.#torn = true;
      else if (!this.newer) this.#takeLast(page);
    } catch (thrown) {
      this.#torn = true;
      throw thrown;
    } finally {
      this.#mending--;
    }
    if (this.#torn) this.#mendSoon();
  }

  /**
   * Takes a last page. Before one that begins beyond what is loaded there is
   * a gap: what is older goes, or where it is read, what is newer waits.
   */
  #takeLast(page: beckon.TranscriptPage): void {
    const [last, first] = [this.entries.at(-1), page.entries[0]];
    const joins =
      last !== undefined &&
      first !== undefined &&
      order(first, last, (id) => this.#number(id)) <= 0;
    if (!joins && last !== undefined && this.reading !== undefined) {
      this.#bounds = { ...this.#bounds, after: after(last) };
      return;
    }
    if (!joins) this.#begin(page);
    const follow = this.#mending === 1 && !this.#torn ? this.#held : [];
    this.#add([...page.entries, ...follow], 'oldest');
  }

  /** Shows a page in place of everything; what came while it was read follows its end. */
  #show(page: beckon.TranscriptPage): void {
    const follow =
      page.after === '' && !this.#torn
        ? beyond(this.#held, page.entries, (id) => this.#number(id))
        : [];
    this.#begin(page);
    this.#add([...page.entries, ...follow], 'oldest');
    if (this.#torn) this.#mendSoon();
  }

  #begin(page: beckon.TranscriptPage): void {
    this.entries = [];
    this.#bounds = { before: page.before, after: page.after };
    this.#room = 0;
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
    const kept = trim(
      { entries: all, bounds: this.#bounds },
      { most: this.#most, from, reading: this.reading },
      number,
    );
    this.entries = kept.entries;
    this.#bounds = kept.bounds;
  }

  get #most(): number {
    if (this.reading !== undefined) return most.reading;
    return Math.max(this.#room, this.glanced ? most.glancing : most.following);
  }

  #has(place: Place): boolean {
    return this.entries.some((entry) => entry.runId === place.runId && entry.pos === place.pos);
  }

  #number(runId: string): number {
    // A run that nobody has told of yet can only be the newest.
    return (
      this.#runNumber(runId) ?? this.pastRuns.find((run) => run.id === runId)?.number ?? Infinity
    );
  }
}
