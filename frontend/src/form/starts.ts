// What a task may start from, in the words of its form.

import type { beckon } from '../bridge';
import { isOver, store } from '../state';

/** What a task starts from, in the order in which it is offered. */
export const sources = ['new', 'branch', 'pull', 'issue', 'task'] as const;
export type Source = (typeof sources)[number];

/** A new branch off the project's base, named by the project's pattern. */
export function blankStart(): beckon.Start {
  return {
    kind: '',
    branch: '',
    base: '',
    remote: '',
    ref: '',
    number: 0,
    url: '',
    taskId: '',
    found: '',
  };
}

/** Which kind of source a start is of. */
export const sourceOf = (start: beckon.Start): Source => start.kind || 'new';

/** What the pill says of a start. */
export function startLabel(start: beckon.Start, base: string): string {
  if (start.kind === 'pull' || start.kind === 'issue') return `#${start.number}`;
  if (start.kind === 'task') return store.tasks.get(start.taskId)?.key ?? base;
  return start.branch || start.base || base;
}

/** What was typed or pasted says by itself which kind it is; nothing does where it is empty. */
export function sourceFor(typed: string): Source | 'forge' | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (/^[#!]\d*$/.test(text) || /^https?:\/\//.test(text)) return 'forge';
  return /^[A-Za-z][A-Za-z0-9]{1,4}-\d+$/.test(text) ? 'task' : 'branch';
}

/** Whether what was typed can be asked for. */
export const isItem = (typed: string) =>
  /^([#!]\d{1,9}|https?:\/\/\S+\/\d+\S*)$/.test(typed.trim());

/** Whether a text is a link to a pull request or an issue, and nothing else. */
export const isLink = (text: string) =>
  /^https?:\/\/\S+\/(pull|issues|merge_requests)\/\d+\S*$/.test(text.trim());

/** How many tasks are offered to build on. */
const most = 5;

/** The tasks whose branches a task of the project can build on: those that have one that is not merged. */
export function tasksUnder(typed: string, projectId: string, own: string): beckon.Task[] {
  const wish = typed.trim().toLowerCase();
  return [...store.tasks.values()]
    .filter(
      (task) =>
        task.projectId === projectId &&
        task.id !== own &&
        task.branch !== '' &&
        !isOver(task) &&
        task.status !== 'archived' &&
        `${task.key} ${task.title} ${task.branch}`.toLowerCase().includes(wish),
    )
    .sort((a, b) => b.number - a.number)
    .slice(0, most);
}

/** How long a title is in the name of a branch; Go's slugLength. */
const mostOfTitle = 40;

/** A title as the name of a branch spells it: what BranchName of backend/git/command makes of it. */
export function slug(title: string): string {
  const [first = '', ...rest] = title
    .toLowerCase()
    .replace(/[äöüß]/g, (c) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' })[c] ?? '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  let text = first.slice(0, mostOfTitle);
  for (const word of rest) {
    if (text.length + 1 + word.length > mostOfTitle) break;
    text += `-${word}`;
  }
  return text;
}
