// The lines of the palette for what is typed.

import ListFilter from '@lucide/svelte/icons/list-filter';
import Plus from '@lucide/svelte/icons/plus';
import Search from '@lucide/svelte/icons/search';
import Tag from '@lucide/svelte/icons/tag';
import type { beckon } from '../bridge';
import { cardHref } from '../board/moves';
import { displayCommands } from '../commands/display';
import { pageCommands } from '../commands/page';
import { taskCommands } from '../commands/task';
import { t } from '../i18n/index.svelte';
import { searching } from '../search/searching.svelte';
import { keyFor, sheets, store, theRouter, type Command, type Offered } from '../state';
import { oneLine } from '../text/plain';
import { keyLines } from './keyLines';
import { findTasks, match, type FoundTask } from './rank';

/** What the lines are narrowed to: the commands of a task, or the tasks with a label. */
export type Scope = { kind: 'task'; task: beckon.Task } | { kind: 'label'; label: string };

export interface Line {
  id: string;
  label: string;
  marks: number[];
  run: () => void;
  keys?: string | undefined;
  icon?: Command['icon'];
  danger?: boolean | undefined;
  /** A line that stands for a task. */
  found?: FoundTask;
  project?: beckon.Project;
  count?: number;
  /** Narrows the lines, in the place of doing something. */
  scope?: Scope;
}

export interface Group {
  title: string;
  lines: Line[];
}

/** What the lines are made of, as it was when the palette opened. */
export interface Source {
  /** The task that keys were about. */
  subject: beckon.Task | undefined;
  /** What the parts of the page do that are shown. */
  offered: Offered[];
  /** What would be taken back, and done again, in words. */
  past: Command[];
  recent: string[];
}

export interface Lines {
  groups: Group[];
  tasks: number;
  actions: number;
}

const mostTasks = 6;
/** Of what could be done: more is listed once one types, or behind a ">". */
const mostAtFirst = 7;

export function linesFor(text: string, scope: Scope | undefined, source: Source): Lines {
  const mark = scope === undefined ? text.charAt(0) : '';
  const typed = '>#@'.includes(mark) ? text.slice(mark.length).trim() : text.trim();
  if (scope?.kind === 'task') return sum([about(scope.task, typed, Infinity)]);
  if (scope?.kind === 'label') return withLabel(scope.label, typed);
  if (mark === '#') return sum([labels(typed)]);
  if (mark === '@') return sum([projects(typed), views(typed)]);
  const own = here(typed, source);
  const page = without(everywhere(typed, source, mark === '>' || typed === '' ? '' : typed), own);
  if (mark === '>') return sum([...own, displaying(typed), page, keysHere(typed, source)]);
  if (typed === '')
    return sum(
      [recently(source), ...own, page].map(({ title, lines }) => ({
        title,
        lines: lines.slice(0, mostAtFirst),
      })),
    );
  const { found, count } = findTasks(typed, store.tasks.values(), waits, mostTasks);
  const tasks: Group = { title: t('palette.tasks'), lines: found.map(taskLine) };
  const first = found[0]?.task;
  // Where what has the focus knows nothing of it, what can be done to the first that is found.
  const known = source.subject !== undefined && about(source.subject, typed, 1).lines.length > 0;
  const subject = first && !known ? [about(first, '', mostAtFirst)] : [];
  return {
    ...sum([
      tasks,
      ...subject,
      ...own,
      displaying(typed),
      projects(typed),
      views(typed),
      page,
      keysHere(typed, source),
    ]),
    tasks: count,
  };
}

/** A group without what others have by the same words, as the settings of a page in sight. */
function without({ title, lines }: Group, others: Group[]): Group {
  const known = new Set(others.flatMap((group) => group.lines.map((line) => line.label)));
  return { title, lines: lines.filter((line) => !known.has(line.label)) };
}

function sum(groups: Group[]): Lines {
  const shown = groups.filter((group) => group.lines.length > 0);
  const lines = shown.flatMap((group) => group.lines);
  const tasks = lines.filter((line) => line.found).length;
  return { groups: shown, tasks, actions: lines.length - tasks };
}

function waits(task: beckon.Task): boolean {
  return store.waitingByTask.has(task.id);
}

/** What can be done to what has the focus, and by what is shown. */
function here(typed: string, { subject, offered }: Source): Group[] {
  const parts = offered.map(({ title, commands }) => ({
    title,
    lines: found(commands, typed, title),
  }));
  return [...(subject ? [about(subject, typed, Infinity)] : []), ...parts];
}

function about(task: beckon.Task, typed: string, most: number): Group {
  return {
    title: t('palette.on', { key: task.key, title: oneLine(task.title) }),
    lines: found(taskCommands(task), typed, task.id).slice(0, most),
  };
}

/** The first thing that can be done to the task that a line stands for, unless that destroys something. */
export function actionOf(line: Line | undefined): Line | undefined {
  const first = line?.found && about(line.found.task, '', 1).lines[0];
  return first?.danger ? undefined : first;
}

/** How the board could be displayed, which its panel offers too. */
function displaying(typed: string): Group {
  return { title: t('board.display'), lines: found(displayCommands(), typed, 'display') };
}

/** What keys of the screen do that is no line above. */
function keysHere(typed: string, { subject }: Source): Group {
  const lines = found(keyLines(subject !== undefined && waits(subject)), typed, 'keys');
  return {
    title: t('keys.sheet'),
    lines: lines.map((line) => ({ ...line, id: `${line.id}/${line.keys}` })),
  };
}

function everywhere(typed: string, { past }: Source, words: string): Group {
  const lines = found([...past, ...pageCommands()], typed, 'page');
  const make: Line = {
    id: 'new',
    label: words === '' ? t('app.newTask') : t('palette.newTask', { words }),
    marks: [],
    icon: Plus,
    keys: keyFor('everywhere', 'newTask'),
    run: () => sheets.newTask('', 'backlog', words),
  };
  const search = (): void => {
    if (words !== '') searching.type(words);
    sheets.search();
  };
  const look: Line = {
    id: 'search',
    label: words === '' ? t('keys.search') : t('palette.search', { words }),
    marks: [],
    icon: Search,
    keys: keyFor('everywhere', 'search'),
    run: search,
  };
  const own = words === '' ? [make, look].filter((line) => match(typed, line.label)) : [make, look];
  return {
    title: t('keys.titleEverywhere'),
    lines: words === '' ? [...own, ...lines] : [...lines, ...own],
  };
}

/** Gives lines that are called the same, as those of two panes are, ids of their own. */
function distinct(lines: Line[]): Line[] {
  const times = new Map<string, number>();
  return lines.map((line) => {
    const n = (times.get(line.id) ?? 0) + 1;
    times.set(line.id, n);
    return n === 1 ? line : { ...line, id: `${line.id}/${n}` };
  });
}

function found(commands: Command[], typed: string, of: string): Line[] {
  const lines = commands.flatMap((command) => {
    const hit = match(typed, command.label);
    return hit
      ? [{ tier: hit.tier, line: { ...command, id: `${of}/${command.label}`, marks: hit.marks } }]
      : [];
  });
  return distinct(lines.sort((a, b) => a.tier - b.tier).map(({ line }) => line));
}

/** The line of a task, which opens it. */
export function taskLine(one: FoundTask): Line {
  const { task } = one;
  const project = store.projects.get(task.projectId);
  const open = () => theRouter().goTo(cardHref(task, store.latestRuns.get(task.id)));
  return {
    id: `task/${task.id}`,
    label: oneLine(task.title),
    marks: one.marks,
    found: one,
    run: open,
    ...(project && { project }),
  };
}

function withLabel(label: string, typed: string): Lines {
  const of = store.tasks.values().filter((task) => task.labels.includes(label));
  const { found: tasks, count } = findTasks(typed, of, waits, 50);
  return { ...sum([{ title: label, lines: tasks.map(taskLine) }]), tasks: count };
}

function labels(typed: string): Group {
  const counts = new Map<string, number>();
  for (const task of store.tasks.values())
    for (const label of task.labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const known = [...counts]
    .map(([label, count]) => ({ label, count, hit: match(typed, label) }))
    .filter((one) => one.hit);
  known.sort(
    (a, b) => a.hit!.tier - b.hit!.tier || b.count - a.count || a.label.localeCompare(b.label),
  );
  return {
    title: t('task.labels'),
    lines: known.map(({ label, count, hit }) => ({
      id: `label/${label}`,
      label: oneLine(label),
      marks: hit!.marks,
      count,
      icon: Tag,
      scope: { kind: 'label', label },
      run: () => {},
    })),
  };
}

function projects(typed: string): Group {
  const lines = store.sortedProjects.flatMap((project): Line[] => {
    const hit = match(typed, project.name) ?? match(typed, project.key);
    return hit
      ? [
          {
            id: `project/${project.id}`,
            label: project.name,
            marks: [],
            project,
            run: () => theRouter().go({ page: 'board', project: project.key }),
          },
        ]
      : [];
  });
  return { title: t('app.projects'), lines };
}

function views(typed: string): Group {
  const lines = store.views.flatMap((view): Line[] => {
    const label = oneLine(view.name);
    const hit = match(typed, label);
    return hit
      ? [
          {
            id: `view/${view.id}`,
            label,
            marks: hit.marks,
            icon: ListFilter,
            run: () => theRouter().go({ page: 'board', project: '', view: view.id }),
          },
        ]
      : [];
  });
  return { title: t('filter.views'), lines };
}

/** What was used last: tasks, projects, views and commands that are there now. */
function recently(source: Source): Group {
  const known = new Map(
    [...projects('').lines, ...views('').lines, ...everywhere('', source, '').lines].map((line) => [
      line.id,
      line,
    ]),
  );
  const lines = source.recent.flatMap((id): Line[] => {
    const task = id.startsWith('task/') ? store.tasks.get(id.slice(5)) : undefined;
    const line = task ? taskLine({ task, marks: [], label: '', tier: 0 }) : known.get(id);
    return line ? [{ ...line, id: `recent/${id}` }] : [];
  });
  return { title: t('palette.recent'), lines: lines.slice(0, mostTasks) };
}
