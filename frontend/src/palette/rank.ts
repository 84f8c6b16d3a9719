// What typed words find, and in which order. Pure, so that it is tested without a page.

import type { beckon } from '../bridge';

/** How well a text is found: the lower, the better. `marks` are from and to of what is marked, in pairs. */
export interface Match {
  tier: number;
  marks: number[];
}

const letter = /[\p{L}\p{N}]/u;

/**
 * Finds what was typed in a text: as the whole, its beginning, beginnings of
 * words in any order, anywhere, or the first letters of words that follow each
 * other. Nothing else is found, so that one sees why a line is there.
 */
export function match(typed: string, text: string): Match | undefined {
  const wish = typed.trim().toLowerCase();
  const lower = text.toLowerCase();
  if (wish === '') return { tier: 3, marks: [] };
  if (lower === wish) return { tier: 0, marks: [0, text.length] };
  if (lower.startsWith(wish)) return { tier: 1, marks: [0, wish.length] };
  return eachWord(wish.split(/\s+/), lower) ?? initials(wish, lower);
}

function eachWord(words: string[], lower: string): Match | undefined {
  const spans: [number, number][] = [];
  let tier = 2;
  for (const word of words) {
    let at = wordStart(word, lower);
    if (at < 0) {
      at = lower.indexOf(word);
      tier = 3;
    }
    if (at < 0) return undefined;
    spans.push([at, at + word.length]);
  }
  spans.sort((a, b) => a[0] - b[0]);
  return { tier, marks: spans.filter(([from], i) => i === 0 || from >= spans[i - 1]![1]).flat() };
}

/** Where a word begins in a text at the beginning of one of its words, or -1. */
function wordStart(word: string, lower: string): number {
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    if (at === 0 || !letter.test(lower[at - 1]!)) return at;
  }
  return -1;
}

function initials(wish: string, lower: string): Match | undefined {
  if (wish.length < 2 || wish.includes(' ')) return undefined;
  const starts: number[] = [];
  for (let i = 0; i < lower.length; i++)
    if (letter.test(lower[i]!) && (i === 0 || !letter.test(lower[i - 1]!))) starts.push(i);
  const first = starts
    .map((at) => lower[at])
    .join('')
    .indexOf(wish);
  if (first < 0) return undefined;
  return { tier: 4, marks: starts.slice(first, first + wish.length).flatMap((at) => [at, at + 1]) };
}

/** A task that was found, and by what. */
export interface FoundTask {
  task: beckon.Task;
  /** What is marked in its title. */
  marks: number[];
  /** The label by which it was found, where its title and key have not what was typed. */
  label: string;
  tier: number;
}

const byStatus: Record<string, number> = {
  running: 1,
  review: 2,
  queued: 3,
  backlog: 4,
  done: 5,
  archived: 6,
};

/** The tasks that typed words find, the best first: of equal ones those that wait, then as their columns go, the newest first. */
export function findTasks(
  typed: string,
  tasks: beckon.Task[],
  waits: (task: beckon.Task) => boolean,
  most: number,
): { found: FoundTask[]; count: number } {
  const found: FoundTask[] = [];
  for (const task of tasks) {
    const one = findIn(typed.trim(), task);
    if (one) found.push(one);
  }
  const rank = new Map(
    found.map(({ task }) => [task, waits(task) ? 0 : (byStatus[task.status] ?? 7)]),
  );
  found.sort(
    (a, b) =>
      a.tier - b.tier || rank.get(a.task)! - rank.get(b.task)! || b.task.updated - a.task.updated,
  );
  return { found: found.slice(0, most), count: found.length };
}

function findIn(typed: string, task: beckon.Task): FoundTask | undefined {
  const key = task.key.toLowerCase();
  const wish = typed.toLowerCase();
  if (wish !== '' && (key === wish || key.endsWith(`-${wish}`)))
    return { task, marks: [], label: '', tier: -1 };
  if (wish !== '' && key.startsWith(wish)) return { task, marks: [], label: '', tier: 1 };
  const title = match(typed, task.title);
  if (title) return { task, marks: title.marks, label: '', tier: title.tier };
  const label = task.labels.find((one) => one.toLowerCase().startsWith(wish));
  return label === undefined ? undefined : { task, marks: [], label, tier: 5 };
}
