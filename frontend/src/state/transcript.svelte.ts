import { api, type beckon } from '../bridge';
import { beyond, entryKey, merge } from './entries';
import { Table } from './table.svelte';

const pageSize = 200;

/**
 * One task's transcript as far as it was read, kept up to date while somebody
 * shows it. `store.open` makes it, `store.close` ends it.
 */
export class Transcript {
  readonly taskId: string;
  /** In order; a new list whenever anything in it changed. */
  entries = $state.raw<beckon.Entry[]>([]);
  /** What each run is writing at this moment. */
  readonly live = new Table<beckon.Live>();
  /** Whether the first page has come. */
  loaded = $state(false);
  /** Whether a page is on its way. */
  loading = $state(false);
  /** Every run and question of the task, as of the last load. */
  pastRuns = $state.raw<beckon.Run[]>([]);
  pastQuestions = $state.raw<beckon.Question[]>([]);

  #before = $state('');
  #runNumber: (runId: string) => number | undefined;

  constructor(taskId: string, runNumber: (runId: string) => number | undefined) {
    this.taskId = taskId;
    this.#runNumber = runNumber;
  }

  /** Whether there is an older page. */
  get more(): boolean {
    return this.#before !== '';
  }

  /** Reads the last page, and what the task's runs and questions were. */
  async load(): Promise<void> {
    this.loading = true;
    try {
      const [page, runs, questions] = await Promise.all([
        api.transcript(this.taskId, '', pageSize),
        api.runs(this.taskId),
        api.questions(this.taskId),
      ]);
      this.pastRuns = runs;
      this.pastQuestions = questions;
      this.#takeLast(page);
      this.loaded = true;
    } finally {
      this.loading = false;
    }
  }

  /** Reads the page before the oldest entry. */
  async older(): Promise<void> {
    if (!this.more || this.loading) return;
    this.loading = true;
    try {
      const page = await api.transcript(this.taskId, this.#before, pageSize);
      this.#before = page.before;
      this.#add(page.entries);
    } finally {
      this.loading = false;
    }
  }

  /** Takes the entries and live text of a frame. */
  take(events: beckon.Event[]): void {
    const entries: beckon.Entry[] = [];
    for (const { entry, live } of events) {
      if (entry) entries.push(entry);
      if (live) this.#takeLive(live);
    }
    if (entries.length > 0) this.#add(entries);
  }

  /**
   * Before a last page that no known entry reaches into there would be a gap,
   * so what is older goes. What came while the page was read stays.
   */
  #takeLast(page: beckon.TranscriptPage): void {
    const known = new Set(this.entries.map(entryKey));
    if (!page.entries.some((entry) => known.has(entryKey(entry)))) {
      this.entries = beyond(this.entries, page.entries, (id) => this.#number(id));
      this.#before = page.before;
    }
    this.#add(page.entries);
  }

  #takeLive(live: beckon.Live): void {
    if (live.text === '') this.live.delete(live.runId);
    else this.live.set(live.runId, live);
  }

  #add(entries: beckon.Entry[]): void {
    this.entries = merge(this.entries, entries, (id) => this.#number(id));
  }

  #number(runId: string): number {
    // A run that nobody has told of yet can only be the newest.
    return this.#runNumber(runId) ?? this.pastRuns.find((run) => run.id === runId)?.number ?? Infinity;
  }
}
