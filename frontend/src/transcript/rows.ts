// A transcript's entries as the rows that are shown.

import type { beckon } from '../bridge';
import { waits } from '../state';
import { entryKey } from '../state/entries';
import { isLoud } from './notices';

/** Detail is how much the reader wants to see. */
export type Detail = 'normal' | 'everything';

/** Row is one thing in the transcript's column. */
export type Row =
  | { kind: 'user' | 'text' | 'thinking' | 'notice' | 'turn'; id: string; depth: number; entry: beckon.Entry }
  | { kind: 'tools'; id: string; depth: number; entries: beckon.Entry[] }
  | { kind: 'asked'; id: string; depth: number; question: beckon.Question; entry: beckon.Entry | null }
  | { kind: 'live'; id: string; depth: number; live: beckon.Live }
  /** The agent works, and nothing of it is to be seen yet. */
  | { kind: 'busy'; id: string; depth: number; activity: beckon.Activity };

/** What rows are made of. */
export interface Source {
  entries: beckon.Entry[];
  questions: beckon.Question[]; // of this task, any order
  live: beckon.Live[];
  /** What the agent does, while it works. */
  activity: beckon.Activity | null;
  detail: Detail;
  /** Whether nothing older is to be loaded: questions without a place may go to the top. */
  whole: boolean;
}

/**
 * rowsOf groups tool calls that follow one another, puts settled questions
 * where they were asked, and leaves open ones to the dock. Its rows keep
 * their ids while the transcript grows.
 */
export function rowsOf(s: Source): Row[] {
  const asked = new Map(s.questions.filter((q) => q.toolUseId).map((q) => [q.toolUseId, q]));
  const shown = new Set<string>();
  const depth = depths(s.entries);
  const rows: Row[] = [];
  for (const entry of s.entries) {
    const question = entry.tool ? asked.get(entry.tool.useId) : undefined;
    if (question) shown.add(question.id);
    add(rows, entry, depth(entry), question, s.detail);
  }
  placeStrays(rows, s, shown);
  for (const live of s.live) rows.push({ kind: 'live', id: `live/${live.runId}`, depth: 0, live });
  if (s.activity && s.live.length === 0 && !atWork(s.entries)) rows.push({ kind: 'busy', id: 'busy', depth: 0, activity: s.activity });
  return rows;
}

/** atWork tells whether a tool call without a result shows that something goes on. */
function atWork(entries: beckon.Entry[]): boolean {
  const last = entries.at(-1);
  return last?.tool !== undefined && !last.tool.done;
}

function add(rows: Row[], entry: beckon.Entry, depth: number, question: beckon.Question | undefined, detail: Detail): void {
  // A permission belongs to a call that has a result of its own to show.
  if (question && question.kind !== 'permission') {
    if (!waits(question)) rows.push({ kind: 'asked', id: entryKey(entry), depth, question, entry });
    return;
  }
  if (entry.kind === 'question' && !question && !entry.tool?.done) return; // the frame with the question is under way
  if (entry.tool) {
    addTool(rows, entry, depth);
    if (question && !waits(question)) rows.push({ kind: 'asked', id: `q/${question.id}`, depth, question, entry });
    return;
  }
  if (entry.kind === 'notice' && detail === 'normal' && !isLoud(entry)) return;
  if (entry.kind === 'text' || entry.kind === 'thinking') {
    if (entry.text.trim()) rows.push({ kind: entry.kind, id: entryKey(entry), depth, entry });
    return;
  }
  if (entry.kind === 'user' || entry.kind === 'notice' || entry.kind === 'turn')
    rows.push({ kind: entry.kind, id: entryKey(entry), depth, entry });
}

// A group that is longer would be one row too tall to scroll past lightly.
const longestGroup = 40;

function addTool(rows: Row[], entry: beckon.Entry, depth: number): void {
  const last = rows.at(-1);
  if (last?.kind === 'tools' && last.depth === depth && last.entries[0]?.parent === entry.parent && last.entries.length < longestGroup) {
    last.entries.push(entry);
    return;
  }
  rows.push({ kind: 'tools', id: entryKey(entry), depth, entries: [entry] });
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
  const strays = s.questions.filter((q) => !shown.has(q.id) && !waits(q)).sort((a, b) => a.asked - b.asked);
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
