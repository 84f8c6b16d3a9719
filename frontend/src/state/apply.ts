import type { beckon } from '../bridge';
import type { Rows } from './table.svelte';
import { withUnsaved } from './unsaved';

/** The tables that frames fill, and the numbers that guard them. */
export interface Model {
  projects: Rows<beckon.Project>;
  tasks: Rows<beckon.Task>;
  runs: Rows<beckon.Run>;
  questions: Rows<beckon.Question>;
  /** Those that run elsewhere on this machine. */
  sessions: Rows<beckon.OutsideSession>;
  /** How a project's commands ran in each task's worktree. */
  scripts: Rows<beckon.ScriptRun>;
  /** The shells in the tasks' worktrees. */
  terminals: Rows<beckon.Terminal>;
  /** The pull requests that were opened, by task. */
  pulls: Rows<beckon.PullRequest>;
  settings: beckon.Settings;
  mission: beckon.Mission;
  /** Whether the disk has room. */
  disk: beckon.Disk;
  /** Whose questions are refused, because they are too many. */
  floods: beckon.Flood[];
  spending: beckon.Spending;
  channels: beckon.Channels | undefined;
  views: beckon.View[];
  /** Where runs execute besides this computer. */
  executors: beckon.ExecutorStatus[];
  /** A newer version; one without a name is none. */
  release: beckon.ReleaseNotice;
  /** The last sleep of this computer; one that ended at 0 is none. */
  slept: beckon.Slept;
  /** What each task's agent has not taken yet, by task; none is no row. */
  queues: Rows<beckon.Message[]>;
  /** How the comments on each task's changes stand, by task; a task without any has no row. */
  comments: Rows<beckon.CommentCount>;
  /** The number of the frame that each value came from, by key. */
  seqs: Map<string, number>;
}

/** The values of which there is one, and how each comes. A list comes whole. */
const singles = {
  settings: (event) => event.settings && withUnsaved(event.settings),
  mission: (event) => event.mission,
  disk: (event) => event.disk,
  spending: (event) => event.spending,
  channels: (event) => event.channels,
  release: (event) => event.release,
  slept: (event) => event.slept,
  floods: (event) => event.floods?.floods,
  views: (event) => event.views?.all,
  executors: (event) => event.executors?.all,
} satisfies { [K in keyof Model]?: (event: beckon.Event) => Model[K] | undefined };

type Single = keyof typeof singles;
const singleNames = Object.keys(singles) as Single[];

/** A kind of rows that come one by one, and that the whole state names one by one. */
interface Kind {
  rows: keyof Model;
  /** What a row is known by. */
  id: 'id' | 'taskId';
  /** What a row belongs to and goes with. */
  parent?: 'taskId' | 'projectId';
}

type Value = Record<'id' | 'taskId' | 'projectId', string>;

const kinds = {
  project: { rows: 'projects', id: 'id' },
  task: { rows: 'tasks', id: 'id', parent: 'projectId' },
  run: { rows: 'runs', id: 'id', parent: 'taskId' },
  question: { rows: 'questions', id: 'id', parent: 'taskId' },
  session: { rows: 'sessions', id: 'id' },
  script: { rows: 'scripts', id: 'id', parent: 'taskId' },
  terminal: { rows: 'terminals', id: 'id', parent: 'taskId' },
  pull: { rows: 'pulls', id: 'taskId', parent: 'taskId' },
} satisfies { [K in keyof beckon.Event]: Kind };

type KindName = keyof typeof kinds;
const kindNames = Object.keys(kinds) as KindName[];

/** A kind of value of which a task has one, or none. The first part of the whole state names all. */
interface OfTask<T extends { taskId: string }, Kept> {
  rows(model: Model): Rows<Kept>;
  of(event: beckon.Event): T | undefined;
  /** What is kept of it; undefined where it amounts to none. */
  kept(value: T): Kept | undefined;
}

const ofTasks: Record<string, OfTask<{ taskId: string }, unknown>> = {
  queue: ofTask({
    rows: (model) => model.queues,
    of: (event) => event.queue,
    kept: ({ messages }) => (messages.length > 0 ? messages : undefined),
  }),
  comments: ofTask({
    rows: (model) => model.comments,
    of: (event) => event.comments,
    kept: (count) => (count.changed > 0 ? count : undefined),
  }),
};

function ofTask<T extends { taskId: string }, Kept>(one: OfTask<T, Kept>): OfTask<T, Kept> {
  return one;
}

/**
 * Brings the model up to a frame and returns the events about transcripts,
 * which belong to the view that shows one.
 *
 * Frames may overtake the whole state that was asked for, so each value keeps
 * the number of its frame, and the higher number wins.
 */
export function apply(model: Model, frame: beckon.Frame): beckon.Event[] {
  const rest: beckon.Event[] = [];
  for (const event of frame.events) {
    const row = rowOf(event);
    if (row) put(model, row, frame.seq);
    else if (event.gone) drop(model, event.gone, frame.seq);
    else if (!putOfTask(model, event, frame.seq) && !putSingle(model, event, frame.seq))
      rest.push(event);
  }
  if (frame.whole) {
    if (frame.more === undefined) dropUnnamed(model, namedIn(frame), frame.seq);
    dropOfTasks(model, frame);
  }
  return rest;
}

interface Row {
  kind: KindName;
  id: string;
  value: Value;
}

function rowOf(event: beckon.Event): Row | undefined {
  for (const kind of kindNames) {
    const value = event[kind] as Value | undefined;
    if (value) return { kind, id: value[kinds[kind].id], value };
  }
  return undefined;
}

function allRows(model: Model): Row[] {
  return kindNames.flatMap((kind) => {
    const rows = rowsOf(model, kind);
    return Array.from(rows.keys(), (id) => ({ kind, id, value: rows.get(id) as Value }));
  });
}

function rowsOf(model: Model, kind: KindName): Rows<unknown> {
  return model[kinds[kind].rows] as Rows<unknown>;
}

function nameOf({ kind, id }: Row): string {
  return `${kind}/${id}`;
}

function parentOf({ kind, value }: Row): string {
  const { parent }: Kind = kinds[kind];
  return parent ? value[parent] : '';
}

function put(model: Model, row: Row, seq: number): void {
  if (!newer(model, nameOf(row), seq)) return;
  if (gone(model, row.id, seq) || gone(model, parentOf(row), seq)) return;
  rowsOf(model, row.kind).set(row.id, row.value);
}

/** Whether what has the id was gone when that frame was made. */
function gone(model: Model, id: string, seq: number): boolean {
  return seq <= (model.seqs.get(`gone/${id}`) ?? -1);
}

/** Keeps a value of which there is one; reports whether the event is about one. */
function putSingle(model: Model, event: beckon.Event, seq: number): boolean {
  return singleNames.some((name) => putNamed(model, name, singles[name](event), seq));
}

function putNamed<K extends Single>(
  model: Pick<Model, Single | 'seqs'>,
  name: K,
  value: Model[K] | undefined,
  seq: number,
): boolean {
  if (value === undefined) return false;
  if (newer(model, name, seq)) model[name] = value;
  return true;
}

/** Keeps a value of which a task has one; reports whether the event is about one. */
function putOfTask(model: Model, event: beckon.Event, seq: number): boolean {
  for (const [name, kind] of Object.entries(ofTasks)) {
    const value = kind.of(event);
    if (value === undefined) continue;
    keep(model, name, { taskId: value.taskId, kept: kind.kept(value) }, seq);
    return true;
  }
  return false;
}

function keep(
  model: Model,
  name: string,
  { taskId, kept }: { taskId: string; kept?: unknown },
  seq: number,
): void {
  if (!newer(model, `${name}/${taskId}`, seq)) return;
  const rows = ofTasks[name]!.rows(model);
  if (kept === undefined) rows.delete(taskId);
  else if (!gone(model, taskId, seq)) rows.set(taskId, kept);
}

/** Tasks that the whole state does not name have none of what tasks have one of. */
function dropOfTasks(model: Model, whole: beckon.Frame): void {
  for (const [name, kind] of Object.entries(ofTasks)) {
    const named = new Set(whole.events.map((event) => kind.of(event)?.taskId));
    for (const taskId of [...kind.rows(model).keys()])
      if (!named.has(taskId)) keep(model, name, { taskId }, whole.seq);
  }
}

/** Whether a value of frame seq may replace what stands; notes it if so. */
function newer({ seqs }: Pick<Model, 'seqs'>, key: string, seq: number): boolean {
  if (seq < (seqs.get(key) ?? -1)) return false;
  seqs.set(key, seq);
  return true;
}

/** Takes away what has the id, and what belongs to it. */
function drop(model: Model, id: string, seq: number): void {
  model.seqs.set(`gone/${id}`, seq);
  for (const row of allRows(model))
    if (row.id === id || parentOf(row) === id) dropRow(model, row, seq);
  for (const name of Object.keys(ofTasks)) keep(model, name, { taskId: id }, seq);
}

function dropRow(model: Model, row: Row, seq: number): void {
  if (seq >= (model.seqs.get(nameOf(row)) ?? -1)) rowsOf(model, row.kind).delete(row.id);
}

/** The rows that a frame names. */
export function namedIn(frame: beckon.Frame): Set<string> {
  const rows = frame.events.map(rowOf).filter((row) => row !== undefined);
  return new Set(rows.map(nameOf));
}

/** Takes away the rows that the whole state of that number does not name. */
export function dropUnnamed(model: Model, named: ReadonlySet<string>, seq: number): void {
  for (const row of allRows(model)) if (!named.has(nameOf(row))) dropRow(model, row, seq);
}
