// The choice of what a task starts from, while it is made.

import { asBeckonError, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { explain } from '../state';
import { oneLine } from '../text/plain';
import { blankStart, isItem, type Source, sourceFor, sourceOf } from './starts';

/** Where the choice asks. */
export interface Ports {
  branches: (typed: string) => Promise<beckon.BranchSearch>;
  item: (typed: string) => Promise<beckon.ForgeItem>;
  pulls: () => Promise<beckon.ForgeItem[]>;
}

/** How long typing rests before a server is asked, in milliseconds. */
const pauseMs = 350;
/** After how long its answer is late, in milliseconds. */
const lateMs = 5000;

export class Starting {
  typed = $state('');
  source = $state<Source>('new');
  /** The name of a new branch, and what it starts from; empty as the project says. */
  name = $state('');
  base = $state('');
  search = $state.raw<beckon.BranchSearch>();
  /** The text that was searched for last. */
  searched = $state('');
  /** The pull requests that are open, once they were asked for. */
  pulls = $state.raw<beckon.ForgeItem[]>();
  /** The branch, task or request that is chosen of those that were found. */
  at = $state(0);
  item = $state.raw<beckon.ForgeItem>();
  comments = $state(true);
  asking = $state<'' | 'asking' | 'late'>('');
  refusal = $state('');

  /** What Enter does once what is typed was searched for. */
  #due: (() => void) | undefined;
  #asked = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(
    private readonly from: Ports,
    start: beckon.Start,
  ) {
    this.source = sourceOf(start);
    if (this.source === 'new') [this.name, this.base] = [start.branch, start.base];
    else if (this.source === 'branch') this.typed = start.branch;
    else if (this.source === 'pull' || this.source === 'issue')
      this.typed = start.url || `#${start.number}`;
    void this.#find();
    if (isItem(this.typed)) void this.#ask();
    else this.#listSoon();
  }

  /** Takes what is typed by now. */
  type(text: string): void {
    this.typed = text;
    this.at = 0;
    this.#due = undefined;
    const kind = sourceFor(text);
    if (kind === 'forge') {
      if (this.source !== 'issue') this.source = 'pull';
      return this.#later();
    }
    this.#forget();
    if (kind) this.source = kind;
    void this.#find();
    this.#listSoon();
  }

  /** Chooses a kind. */
  choose(source: Source): void {
    if (this.lists) this.#forget();
    this.source = source;
    this.at = 0;
    this.#listSoon();
  }

  /** Goes on with a request of the list, which is asked for with its comments. */
  pick(pull: beckon.ForgeItem | undefined): void {
    if (pull) this.type(pull.url);
  }

  /** Does something as soon as what is typed was searched for, unless it changes before. */
  onceSettled(what: () => void): void {
    if (this.source !== 'branch' || this.settled) what();
    else this.#due = () => ((this.#due = undefined), what());
  }

  /** Ends what waits for an answer. */
  end(): void {
    this.#asked++;
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
    this.asking = '';
  }

  /** Asks the server once more. */
  again(): void {
    if (this.typed === '') void this.#list();
    else void this.#ask();
  }

  /** Whether the open requests are to be chosen from: nothing is typed that names one. */
  get lists(): boolean {
    return this.source === 'pull' && this.typed === '';
  }

  /** The part of a branch's name that is typed. */
  get wanted(): string {
    return sourceFor(this.typed) === 'branch' ? this.typed.trim() : '';
  }

  /** Whether what is shown is what the typed text finds: until then Enter would choose something else. */
  get settled(): boolean {
    return this.search !== undefined && this.searched === this.wanted;
  }

  /** What the choice makes a task start from; undefined where it is not made yet. */
  start(task?: beckon.Task): beckon.Start | undefined {
    switch (this.source) {
      case 'new':
        return { ...blankStart(), branch: this.name.trim(), base: this.base };
      case 'branch':
        return this.branchStart();
      case 'task':
        return task && { ...blankStart(), kind: 'task', taskId: task.id };
      default:
        return this.item?.start;
    }
  }

  /** A branch that cannot be used twice is branched off. */
  branchStart(branch = this.search?.branches[this.at]): beckon.Start | undefined {
    if (!branch) return undefined;
    if (branch.dir || branch.taskId) return { ...blankStart(), base: branch.name };
    const remote = branch.remote && { remote: branch.remote, ref: `refs/heads/${branch.name}` };
    return { ...blankStart(), kind: 'branch', branch: branch.name, ...remote };
  }

  async #find(): Promise<void> {
    const typed = this.wanted;
    try {
      const found = await this.from.branches(typed);
      if (typed !== this.wanted) return;
      this.search = found;
      this.searched = typed;
      this.#due?.();
    } catch (error) {
      this.refusal = explain(asBeckonError(error));
    }
  }

  #forget(): void {
    this.end();
    this.item = undefined;
    this.refusal = '';
  }

  #later(): void {
    this.#forget();
    if (isItem(this.typed)) this.#timers.push(setTimeout(() => void this.#ask(), pauseMs));
  }

  /** Asks for the open requests, once one rests on their kind. */
  #listSoon(): void {
    if (!this.lists || this.pulls) return;
    this.#forget();
    this.#timers.push(setTimeout(() => this.lists && void this.#list(), pauseMs));
  }

  #list(): Promise<void> {
    return this.#asks(this.from.pulls, (pulls) => (this.pulls = pulls));
  }

  #ask(): Promise<void> {
    return this.#asks(
      () => this.from.item(this.typed.trim()),
      (item) => {
        this.item = item;
        this.source = item.kind === 'issue' ? 'issue' : 'pull';
      },
    );
  }

  /** Asks the server something; an answer that is not wanted any more counts for nothing. */
  async #asks<T>(question: () => Promise<T>, take: (answer: T) => void): Promise<void> {
    this.#forget();
    const mine = this.#asked;
    this.asking = 'asking';
    this.#timers.push(setTimeout(() => mine === this.#asked && (this.asking = 'late'), lateMs));
    try {
      const answer = await question();
      if (mine !== this.#asked) return;
      take(answer);
    } catch (error) {
      if (mine !== this.#asked) return;
      this.refusal = explain(asBeckonError(error));
    }
    this.end();
  }
}

/** The brief that an item of a server brings along, with its open comments where these are wanted. */
export function briefOf(item: beckon.ForgeItem, comments: boolean): string {
  const parts = [item.body.trim(), item.url];
  if (comments && item.comments.length > 0)
    parts.push(
      [
        t('from.commentsOf', { number: item.number }),
        '',
        ...item.comments.map(
          (c) =>
            `- ${c.file ? `\`${c.file}\`${c.line ? `:${c.line}` : ''} ` : ''}(${c.author}): ${oneLine(c.text)}`,
        ),
      ].join('\n'),
    );
  return parts.filter(Boolean).join('\n\n');
}
