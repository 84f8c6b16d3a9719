import { untrack } from 'svelte';
import { api, asBeckonError, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import {
  type Command,
  explain,
  href,
  keyFor,
  offerCommands,
  placeHref,
  store,
  theRouter,
} from '../state';
import { type ChangedFile, idOf, partOf } from './file';
import { lineOn, numberOf } from './notes';
import type { Picking } from './picking.svelte';
import type { DiffRow } from './row';
import type { Spot } from './spot.svelte';

/** What is asked about. */
export interface Asked {
  /** The id of the row below which the answer stands. */
  anchor: string;
  file: ChangedFile;
  lines: beckon.ChangedLines;
  /** The lines were picked, and not a hunk's or a file's. */
  picked: boolean;
}

/** Whys is why lines of the changes are there: what was asked last, and the answer. */
export class Whys {
  asked = $state.raw<Asked>();
  answer = $state.raw<beckon.WhyAnswer>();
  failed = $state('');
  /** Which of the reasons is shown. */
  nth = $state(0);
  readonly reason: beckon.WhyReason | undefined = $derived(this.answer?.reasons[this.nth]);
  readonly call: beckon.WhyCall | undefined = $derived(this.reason?.calls[0]);

  constructor(
    readonly taskId: string,
    private readonly viewOf: (file: ChangedFile) => beckon.DiffView,
  ) {}

  /** Asks about the lines that are picked, the hunk that one went to, or the file; the same again closes it. */
  #ask(rows: DiffRow[], picking: Picking, spot: Spot): boolean {
    const picked = picking.on;
    const [from, to] = picked
      ? picking.range
      : spot.hunk
        ? [spot.hunk.from, spot.hunk.to - 1]
        : [-1, -2];
    const file = rows[from]?.file ?? spot.here;
    const head = rows[from] ?? rows.find((row) => file && idOf(row.file) === idOf(file));
    if (!file || !head) return false;
    const anchor = (picked ? rows[to] : head)?.id ?? head.id;
    const lines = { ...this.#lines(from < 0 ? [] : rows.slice(from, to + 1)), ...this.#of(file) };
    const again = this.asked?.anchor === anchor || (!picked && this.asked?.picked);
    picking.cancel();
    if (again) this.close();
    else void this.#read({ anchor, file, lines, picked });
    return true;
  }

  /** The file's next reason; after the last it begins again. */
  next(): boolean {
    const n = this.answer?.reasons.length ?? 0;
    if (n < 2) return false;
    this.nth = (this.nth + 1) % n;
    return true;
  }

  /** Goes to the decision behind the call that is shown. */
  toDecision(): boolean {
    const question = this.call?.question;
    if (!question) return false;
    theRouter().goTo(href({ page: 'decisions', id: question.id }));
    return true;
  }

  /** Goes to the call in the session, by what the agent said before it. */
  toSession(call = this.call): boolean {
    const task = store.tasks.get(this.taskId);
    if (!task || !call) return false;
    const pos = call.said === '' ? call.pos : call.saidPos;
    theRouter().goTo(placeHref(task.key, { runId: call.runId, pos }));
    return true;
  }

  /** What keys do; the palette has the same. `onclosed` gives the focus back. */
  keys(rows: () => DiffRow[], picking: Picking, spot: Spot, onclosed: () => void) {
    const ask = () => this.#ask(rows(), picking, spot);
    $effect(() => {
      if (this.asked && !this.#holds(this.asked, rows())) untrack(() => this.close());
    });
    $effect(() =>
      offerCommands(() => ({ title: t('review.why'), commands: this.#commands(ask, rows()) })),
    );
    return {
      why: (nth: number) => (nth === 0 ? ask() : this.next()),
      decided: () => this.toDecision(),
      said: () => this.toSession(),
      close: () => {
        const was = this.close();
        if (was) onclosed();
        return was;
      },
    };
  }

  #commands(ask: () => void, rows: DiffRow[]): Command[] {
    const line = (label: string, keys: string, run: () => unknown): Command => ({
      label,
      keys,
      run: () => void run(),
    });
    const all: [boolean, Command][] = [
      [rows.length > 0, line(t('review.why'), keyFor('diff', 'why'), ask)],
      [
        (this.answer?.reasons.length ?? 0) > 1,
        line(t('review.whyNext'), keyFor('diff', 'why', 1), () => this.next()),
      ],
      [
        this.call?.question !== undefined,
        line(t('keys.whyDecision'), keyFor('diff', 'decided'), () => this.toDecision()),
      ],
      [
        this.call !== undefined,
        line(t('keys.whySession'), keyFor('diff', 'said'), () => this.toSession()),
      ],
      [
        this.asked !== undefined,
        line(t('review.whyClose'), keyFor('diff', 'close'), () => this.close()),
      ],
    ];
    return all.flatMap(([is, command]) => (is ? [command] : []));
  }

  close(): boolean {
    const was = this.asked !== undefined;
    this.asked = this.answer = undefined;
    return was;
  }

  /** Whether what was asked about is shown, and is what it was then. */
  #holds({ anchor, file, lines }: Asked, rows: DiffRow[]): boolean {
    const now = rows.find(({ id }) => id === anchor)?.file;
    return (
      now !== undefined &&
      now.patch === file.patch &&
      JSON.stringify(this.viewOf(now)) === JSON.stringify(lines.view)
    );
  }

  /** Puts the answer below its row. */
  within(rows: DiffRow[]): DiffRow[] {
    const { asked } = this;
    const at = asked ? rows.findIndex(({ id }) => id === asked.anchor) : -1;
    const row = rows[at];
    return row
      ? [
          ...rows.slice(0, at + 1),
          { kind: 'why', id: 'why', file: row.file },
          ...rows.slice(at + 1),
        ]
      : rows;
  }

  #of(file: ChangedFile) {
    return { view: this.viewOf(file), path: file.path, oldPath: file.oldPath };
  }

  /** The lines of both sides that rows change; of rows that change nothing those that they show. */
  #lines(rows: DiffRow[]) {
    const numbers = { before: [] as number[], after: [] as number[] };
    for (const row of rows)
      for (const side of ['before', 'after'] as const) {
        const line = lineOn(row, side);
        if (line?.kind === (side === 'before' ? 'del' : 'add'))
          numbers[side].push(numberOf(line, side));
      }
    const { before, after } = numbers;
    // Lines without a change are asked about as they are: the answer says that none changed.
    if (rows.length > 0 && before.length + after.length === 0)
      for (const row of rows) after.push(numberOf(lineOn(row, 'after'), 'after'));
    return {
      first: after[0] ?? 0,
      last: after.at(-1) ?? 0,
      beforeFirst: before[0] ?? 0,
      beforeLast: before.at(-1) ?? 0,
    };
  }

  async #read(asked: Asked): Promise<void> {
    this.asked = asked;
    this.answer = undefined;
    this.failed = '';
    this.nth = 0;
    try {
      const answer = await api.why(partOf(this.taskId, asked.file.repository), asked.lines);
      if (this.asked === asked) this.answer = answer;
    } catch (thrown) {
      if (this.asked === asked) this.failed = explain(asBeckonError(thrown));
    }
  }
}
