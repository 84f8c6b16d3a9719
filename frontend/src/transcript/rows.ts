// A transcript's entries as the rows that are shown.

import type { beckon } from '../bridge';
import { type Place, waits } from '../state';
import { entryKey, order, type RunNumber } from '../state/entries';
import { isLoud } from './notices';
import { sayOnce } from './once';
import type { Row } from './row';
import { todosOf } from './tool';

/** Detail is how much the reader wants to see. */
export type Detail = 'normal' | 'everything';

/** What rows are made of. */
export interface Source {
  entries: beckon.Entry[];
  questions: beckon.Question[]; // of this task, any order
  live: beckon.Live[];
  /** What the agent does, while it works. */
  activity: beckon.Activity | null;
  detail: Detail;
  /** Whether what a sub-agent did is shown, by the id of its row. */
  open: (id: string) => boolean;
  /** Whether nothing older is to be loaded: questions without a place may go to the top. */
  whole: boolean;
  /** What is said beside it of the last run's end. */
  told?: string;
}

/**
 * rowsOf groups tool calls that follow one another, puts what a sub-agent did
 * below the call that began it and settled questions where they were asked,
 * and leaves open ones to the dock. Its rows keep their ids while the
 * transcript grows.
 */
export function rowsOf(s: Source): Row[] {
  const made = new RowBuilder(s);
  for (const entry of s.entries) if (made.isTop(entry)) made.add(entry);
  const { rows } = made;
  placeStrays(rows, s, made.asked);
  for (const live of s.live) rows.push({ kind: 'live', id: `live/${live.runId}`, depth: 0, live });
  if (s.activity && s.live.length === 0 && !atWork(s.entries))
    rows.push({ kind: 'busy', id: 'busy', depth: 0, activity: s.activity });
  return s.detail === 'normal' ? sayOnce(rows, s.told ?? '') : rows;
}

/** Of rows that say what one of before said, the one of before, and of all of them the list: what is drawn of them stays. */
export function keepRows(before: Row[], rows: Row[]): Row[] {
  const known = new Map(before.map((row) => [row.id, row]));
  const kept = rows.map((row) => {
    const was = known.get(row.id);
    return was !== undefined && alike(was, row) ? was : row;
  });
  return sameList(before, kept) ? before : kept;
}

/** Whether two rows were made of the same values, which are replaced and never altered. */
function alike(a: Row, b: Row): boolean {
  const ones = Object.values(a);
  const others = Object.values(b);
  return (
    ones.length === others.length &&
    ones.every((one, i) => one === others[i] || sameList(one, others[i]))
  );
}

function sameList(a: unknown, b: unknown): boolean {
  return (
    Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((one, i) => one === b[i])
  );
}

/** Whether the row of an agent that is busy says the same of two activities: in a flood they change with each call. */
export function sameBusy(a: beckon.Activity, b: beckon.Activity): boolean {
  const said = ({ verb, target }: beckon.Activity) =>
    verb === 'background' ? `background ${target}` : verb === 'waiting' ? verb : 'thinking';
  return said(a) === said(b) && Math.floor(a.since / 1000) === Math.floor(b.since / 1000);
}

/** atWork reports whether a tool call without a result shows that something goes on. */
function atWork(entries: beckon.Entry[]): boolean {
  const last = entries.at(-1);
  return last?.tool !== undefined && !last.tool.done;
}

// A group that is longer would be one row too tall to scroll past lightly.
const longestGroup = 40;

/** RowBuilder is the rows that were made of the entries so far. */
class RowBuilder {
  readonly rows: Row[] = [];
  /** The ids of the questions that have their row, or none because they wait. */
  readonly asked = new Set<string>();
  readonly #source: Source;
  readonly #questions: Map<string, beckon.Question>;
  readonly #depth: (e: beckon.Entry) => number;
  /** What each sub-agent did, by the call that began it. */
  readonly #within: Map<string, beckon.Entry[]>;
  readonly #inner: Set<beckon.Entry>;
  /** Where each agent's plan of this turn stands, by the call that began the agent. */
  readonly #plans = new Map<string, { group: beckon.Entry[]; at: number }>();

  constructor(source: Source) {
    this.#source = source;
    this.#questions = new Map(
      source.questions.filter((q) => q.toolUseId).map((q) => [q.toolUseId, q]),
    );
    this.#depth = depths(source.entries);
    this.#within = within(source.entries);
    this.#inner = new Set([...this.#within.values()].flat());
  }

  /** Whether an entry stands for itself, and not below a call that is shown. */
  isTop(entry: beckon.Entry): boolean {
    return !this.#inner.has(entry);
  }

  add(entry: beckon.Entry): void {
    const question = this.#questionOf(entry);
    // A permission belongs to a call that has a result of its own to show.
    if (question && question.kind !== 'permission') {
      if (!waits(question))
        this.#push({
          kind: 'asked',
          id: entryKey(entry),
          depth: this.#depth(entry),
          question,
          entry,
        });
    } else if (entry.kind === 'question' && !question && !entry.tool?.done)
      return; // the frame with the question is under way
    else if (entry.tool) this.#addCall(entry, question);
    else this.#addWords(entry);
  }

  #questionOf(entry: beckon.Entry): beckon.Question | undefined {
    const question = entry.tool && this.#questions.get(entry.tool.useId);
    if (question) this.asked.add(question.id);
    return question;
  }

  #push(row: Row): void {
    this.rows.push(row);
  }

  #addCall(entry: beckon.Entry, permission: beckon.Question | undefined): void {
    const depth = this.#depth(entry);
    const inner = entry.tool && this.#within.get(entry.tool.useId);
    if (inner) this.#addAgent(entry, inner, depth);
    else this.#addTool(entry, depth);
    if (permission && !waits(permission))
      this.#push({ kind: 'asked', id: `q/${permission.id}`, depth, question: permission, entry });
  }

  #addAgent(entry: beckon.Entry, inner: beckon.Entry[], depth: number): void {
    const id = entryKey(entry);
    const calls = inner.filter((one) => one.tool);
    this.#push({ kind: 'agent', id, depth, entry, steps: calls.length, latest: calls.at(-1) });
    const begin = this.rows.length;
    for (const one of inner) this.add(one);
    if (this.#source.open(id)) return;
    // What the person decided stays in sight.
    const hidden = this.rows.splice(begin);
    this.rows.push(...hidden.filter((row) => row.kind === 'asked'));
  }

  #addTool(entry: beckon.Entry, depth: number): void {
    if (entry.tool && todosOf(entry.tool) && this.#movesPlan(entry)) return;
    let group = this.rows.at(-1);
    if (
      group?.kind !== 'tools' ||
      group.depth !== depth ||
      group.entries[0]?.parent !== entry.parent ||
      group.entries.length >= longestGroup
    ) {
      group = { kind: 'tools', id: entryKey(entry), depth, entries: [] };
      this.#push(group);
    }
    group.entries.push(entry);
    if (entry.tool && todosOf(entry.tool))
      this.#plans.set(entry.parent, { group: group.entries, at: group.entries.length - 1 });
  }

  /** A plan is one line, which says how far it is; it stays where it was made. */
  #movesPlan(entry: beckon.Entry): boolean {
    const plan = this.#plans.get(entry.parent);
    const made = plan?.group[plan.at];
    if (!plan || !made || made.runId !== entry.runId) return false;
    plan.group[plan.at] = { ...made, tool: entry.tool };
    return true;
  }

  #addWords(entry: beckon.Entry): void {
    const { kind } = entry;
    if (kind === 'notice' && this.#source.detail === 'normal' && !isLoud(entry)) return;
    if ((kind === 'text' || kind === 'thinking') && !entry.text.trim() && !entry.pictures?.length)
      return;
    if (kind === 'user' && entry.parent === '') this.#plans.clear();
    if (kind !== 'tool' && kind !== 'question')
      this.#push({ kind, id: entryKey(entry), depth: this.#depth(entry), entry });
  }
}

/**
 * within gathers what each sub-agent did, where the call that began it is at
 * hand. The call comes first, so no agent is within itself.
 */
function within(entries: beckon.Entry[]): Map<string, beckon.Entry[]> {
  const calls = new Set<string>();
  const inner = new Map<string, beckon.Entry[]>();
  for (const e of entries) {
    if (calls.has(e.parent)) inner.set(e.parent, push(inner.get(e.parent), e));
    if (e.tool) calls.add(e.tool.useId);
  }
  return inner;
}

function push<T>(list: T[] = [], one: T): T[] {
  list.push(one);
  return list;
}

/** depths tells how deep a sub-agent speaks: 0 for the main agent, at most 4. */
function depths(entries: beckon.Entry[]): (e: beckon.Entry) => number {
  const parents = new Map<string, string>();
  for (const e of entries) if (e.tool) parents.set(e.tool.useId, e.parent);
  return (e) => {
    let depth = 0;
    for (let p = e.parent; p && depth < 4; p = parents.get(p) ?? '') depth++;
    return depth;
  };
}

/** placeStrays puts settled questions that no entry names where their time says. */
function placeStrays(rows: Row[], s: Source, shown: Set<string>): void {
  const strays = s.questions
    .filter((q) => !shown.has(q.id) && !waits(q))
    .sort((a, b) => a.asked - b.asked);
  const first = s.entries.find((e) => e.at > 0)?.at ?? 0;
  for (const question of strays) {
    if (question.asked < first && !s.whole) continue; // its place is in an older page
    const after = rows.findIndex((r) => timeOf(r) > question.asked);
    const row: Row = { kind: 'asked', id: `q/${question.id}`, depth: 0, question, entry: null };
    rows.splice(after < 0 ? rows.length : after, 0, row);
  }
}

function timeOf(row: Row): number {
  if (row.kind === 'tools') return row.entries[0]?.at ?? 0;
  if (row.kind === 'asked') return row.question.asked;
  return row.kind === 'live' || row.kind === 'busy' ? Infinity : row.entry.at;
}

/**
 * rowAt returns the row that shows a place, or the last one before it where
 * what stands there has no row of its own; -1 where there is none.
 */
export function rowAt(rows: Row[], place: Place, number: RunNumber): number {
  let nearest = -1;
  for (const [i, row] of rows.entries()) {
    for (const entry of entriesOf(row)) {
      const by = order(entry, place, number);
      if (by === 0) return i;
      if (by < 0) nearest = i;
    }
  }
  return nearest;
}

/** placeOf is where a row begins; undefined for one that is no entry. */
export function placeOf(row: Row | undefined): Place | undefined {
  const entry = row && entriesOf(row)[0];
  return entry && { runId: entry.runId, pos: entry.pos, part: entry.part };
}

/** entriesOf returns what a row was made of. */
export function entriesOf(row: Row): beckon.Entry[] {
  if (row.kind === 'tools') return row.entries;
  if (row.kind === 'live' || row.kind === 'busy') return [];
  return row.entry ? [row.entry] : [];
}

/** estimate guesses a row's height until it is measured, in pixels. */
export function estimate(row: Row): number {
  if (row.kind === 'text') return 12 + 20 * Math.max(1, Math.ceil(row.entry.text.length / 95));
  if (row.kind === 'tools')
    return 14 + row.entries.reduce((sum, e) => sum + 31 + (e.tool?.diff ? 108 : 0), 0);
  return { user: 46, agent: 44, asked: 70, thinking: 32, notice: 28, turn: 28, live: 32, busy: 32 }[
    row.kind
  ];
}
