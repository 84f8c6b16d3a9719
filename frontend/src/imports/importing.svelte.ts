// The sheet for an import: a source, what is found there, and which rows come.

import { api, asBeckonError, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { attempt, explain, follows, tell, undoOf } from '../state';
import { comes, orderOf, proposed, sentTo, sumsOf, takenFor, ticked, type Choices } from './rows';
import type { Column } from './rows';
import { kindOfFile, mostBytes, pieces, textOf } from './text';

/** The sources, in the order of their digits. */
export const sources = ['vibeKanban', 'forge', 'csv', 'markdown'] as const;

/** The one that was chosen last, for as long as the page is there. */
let last: beckon.ImportSource = 'markdown';

/** How many bytes a megabyte has. */
const megabyte = 1 << 20;

export class Importing {
  source = $state<beckon.ImportSource>(last);
  projectId = $state('');
  places = $state.raw<beckon.ImportPlaces>();
  /** Another database of vibe-kanban's, while it is typed. */
  file = $state<string>();
  /** What was brought, by its name or as it was typed. */
  text = $state('');
  name = $state('');
  found = $state.raw<beckon.ImportFound>();
  choices = $state.raw<Choices>({ to: new Map(), ticks: new Map() });
  /** Whether what cannot be imported is shown in place of the rows. */
  why = $state(false);
  /** The row that keys are about. */
  at = $state(0);
  reading = $state(false);
  busy = $state(false);
  refusal = $state('');
  #asked = 0;
  #textId = '';
  /** What the columns of the table are taken for, where the person said so. */
  #fields: (beckon.ImportField | '')[] = [];

  constructor(projectId: string) {
    this.projectId = projectId;
    void this.#look();
  }

  readonly rows = $derived(this.found?.rows ?? []);
  readonly sums = $derived(sumsOf(this.rows, this.choices));
  readonly isText = $derived(this.source === 'csv' || this.source === 'markdown');

  /** Chooses a source, and reads it where nothing has to be brought. */
  choose(source: beckon.ImportSource): void {
    if (source === this.source && (this.found || this.reading)) return;
    last = source;
    this.source = source;
    this.#forget();
    if (source === 'forge' || (source === 'vibeKanban' && this.places?.database)) void this.read();
  }

  /** The tasks come into another project. */
  into(projectId: string): void {
    this.projectId = projectId;
    void this.#look();
    if (this.found) void this.read();
    else this.#forget();
  }

  /** Goes back to where a list is brought. */
  again(): void {
    this.#forget();
  }

  /** Takes a file that was chosen or dropped. */
  async take(file: File): Promise<void> {
    const kind = kindOfFile(file.name) ?? (this.source === 'csv' ? 'csv' : 'markdown');
    this.#forget();
    if (kind === 'database') {
      this.source = 'vibeKanban';
      this.file = '';
      this.refusal = t('imports.database', { file: file.name });
      return;
    }
    last = this.source = kind;
    if (file.size > mostBytes) {
      this.refusal = t('imports.tooLarge', { file: file.name, most: mostBytes / megabyte });
      return;
    }
    const mine = ++this.#asked;
    const text = textOf(new Uint8Array(await file.arrayBuffer()));
    if (mine !== this.#asked) return;
    if (text === undefined) this.refusal = t('imports.encoding', { file: file.name });
    else await this.bring(text, file.name);
  }

  /** Brings a text to Beckon and reads it. */
  async bring(text: string, name = ''): Promise<void> {
    this.name = name;
    this.#fields = [];
    await this.#reads(async () => {
      let id = '';
      for (const piece of pieces(text)) id = await api.bringText(id, piece);
      this.#textId = id;
      return id === '' ? undefined : api.findImports(this.#query());
    });
  }

  /** Reads the source again. */
  async read(): Promise<void> {
    await this.#reads(() => api.findImports(this.#query()));
  }

  /** Takes another column of the table for a field. */
  async takeFor(field: beckon.ImportField, column: string): Promise<void> {
    this.#fields = takenFor(this.found?.columns ?? [], field, column);
    await this.read();
  }

  /** Has the rows of a state go elsewhere. */
  send(state: string, to: Column): void {
    this.choices = sentTo(this.choices, this.rows, state, to);
  }

  comes(at: number): boolean {
    return this.rows[at] !== undefined && comes(this.rows[at], at, this.choices);
  }

  toggle(at: number): void {
    if (this.rows[at]) this.choices = ticked(this.choices, [at], !this.comes(at));
  }

  /** Ticks all rows, or none where all are ticked. */
  toggleAll(): void {
    const all = this.rows.map((_, at) => at);
    this.choices = ticked(this.choices, all, this.sums.coming < all.length);
  }

  /** Makes the cards; returns whether they are there. */
  async commit(): Promise<boolean> {
    const { found } = this;
    if (this.busy || !found || this.sums.coming === 0) return false;
    this.busy = true;
    const made = await attempt(async () => {
      const result = await follows(api.importTasks(orderOf(found, this.choices)));
      const [first] = result.step.taskIds;
      tell(result, (what) => what, first === undefined ? undefined : undoOf(first));
    });
    this.busy = false;
    return made;
  }

  async #look(): Promise<void> {
    try {
      this.places = await api.importPlaces(this.projectId);
    } catch (error) {
      this.refusal = explain(asBeckonError(error));
    }
  }

  #query(): beckon.ImportQuery {
    return {
      source: this.source,
      projectId: this.projectId,
      text: this.#textId,
      file: this.file?.trim() ?? '',
      fields: this.#fields,
    };
  }

  #forget(): void {
    this.#asked++;
    this.found = undefined;
    this.why = false;
    this.refusal = '';
    this.reading = false;
  }

  /** Reads something; a later question makes this one void. */
  async #reads(look: () => Promise<beckon.ImportFound | undefined>): Promise<void> {
    const mine = ++this.#asked;
    this.reading = true;
    this.refusal = '';
    try {
      const found = await look();
      if (mine !== this.#asked) return;
      this.found = found;
      this.why = false;
      this.at = 0;
      if (found) this.choices = proposed(found);
    } catch (error) {
      if (mine !== this.#asked) return;
      this.found = undefined;
      this.refusal = explain(asBeckonError(error));
    }
    if (mine === this.#asked) this.reading = false;
  }
}
