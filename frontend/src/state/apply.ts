import type { beckon } from '../bridge';
import type { Rows } from './table.svelte';

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
  /** The pull requests that were opened, by task. */
  pulls: Rows<beckon.PullRequest>;
  settings: beckon.Settings;
  mission: beckon.Mission;
  /** Whether the disk has room. */
  disk: beckon.Disk;
  /** Whose questions are refused, because they are too many. */
  floods: beckon.Flood[];
  channels: beckon.Channels | undefined;
  views: beckon.View[];
  /** Where runs execute besides this computer. */
  executors: beckon.ExecutorStatus[];
  /** A newer version; one without a name is none. */
  release: beckon.ReleaseNotice;
  /** What each task's agent has not taken yet, by task; none is no row. */
  queues: Rows<beckon.Message[]>;
  /** How the comments on each task's changes stand, by task; a task without any has no row. */
  comments: Rows<beckon.CommentCount>;
  /** The number of the frame that each value came from, by key. */
  seqs: Map<string, number>;
}

type Kind = 'project' | 'task' | 'run' | 'question' | 'session' | 'script' | 'pull';

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
    if (row !== undefined) put(model, row, frame.seq);
    else if (event.settings !== undefined) putSettings(model, event.settings, frame.seq);
    else if (event.mission !== undefined) putMission(model, event.mission, frame.seq);
    else if (event.disk !== undefined) putDisk(model, event.disk, frame.seq);
    else if (event.floods !== undefined) putFloods(model, event.floods, frame.seq);
    else if (event.channels !== undefined) putChannels(model, event.channels, frame.seq);
    else if (event.views !== undefined) putViews(model, event.views.all, frame.seq);
    else if (event.executors !== undefined) putExecutors(model, event.executors.all, frame.seq);
    else if (event.release !== undefined) putRelease(model, event.release, frame.seq);
    else if (event.queue !== undefined) putQueue(model, event.queue, frame.seq);
    else if (event.comments !== undefined) putComments(model, event.comments, frame.seq);
    else if (event.gone) drop(model, event.gone, frame.seq);
    else rest.push(event);
  }
  if (frame.whole) {
    if (frame.more === undefined) dropUnnamed(model, namedIn(frame), frame.seq);
    dropQueues(model, frame);
    dropComments(model, frame);
  }
  return rest;
}

type Row =
  | { kind: 'project'; value: beckon.Project }
  | { kind: 'task'; value: beckon.Task }
  | { kind: 'run'; value: beckon.Run }
  | { kind: 'question'; value: beckon.Question }
  | { kind: 'session'; value: beckon.OutsideSession }
  | { kind: 'script'; value: beckon.ScriptRun }
  | { kind: 'pull'; value: beckon.PullRequest & { id: string } };

function rowOf(event: beckon.Event): Row | undefined {
  if (event.project) return { kind: 'project', value: event.project };
  if (event.task) return { kind: 'task', value: event.task };
  if (event.run) return { kind: 'run', value: event.run };
  if (event.question) return { kind: 'question', value: event.question };
  if (event.session) return { kind: 'session', value: event.session };
  if (event.script) return { kind: 'script', value: event.script };
  if (event.pull) return { kind: 'pull', value: { ...event.pull, id: event.pull.taskId } };
  return undefined;
}

function put(model: Model, row: Row, seq: number): void {
  if (!newer(model, `${row.kind}/${row.value.id}`, seq)) return;
  if (gone(model, row.value.id, seq) || gone(model, parentOf(row), seq)) return;
  (rowsOf(model, row.kind) as Rows<typeof row.value>).set(row.value.id, row.value);
}

/** What a row belongs to and goes with: a task's project, the task of a run or question. */
function parentOf(row: Row): string {
  if (row.kind === 'project' || row.kind === 'session') return '';
  return row.kind === 'task' ? row.value.projectId : row.value.taskId;
}

/** Whether what has the id was gone when that frame was made. */
function gone(model: Model, id: string, seq: number): boolean {
  return seq <= (model.seqs.get(`gone/${id}`) ?? -1);
}

function putSettings(model: Model, settings: beckon.Settings, seq: number): void {
  if (newer(model, 'settings', seq)) model.settings = settings;
}

function putMission(model: Model, mission: beckon.Mission, seq: number): void {
  if (newer(model, 'mission', seq)) model.mission = mission;
}

function putDisk(model: Model, disk: beckon.Disk, seq: number): void {
  if (newer(model, 'disk', seq)) model.disk = disk;
}

function putFloods(model: Model, { floods }: beckon.Floods, seq: number): void {
  if (newer(model, 'floods', seq)) model.floods = floods;
}

function putChannels(model: Model, channels: beckon.Channels, seq: number): void {
  if (newer(model, 'channels', seq)) model.channels = channels;
}

function putViews(model: Model, views: beckon.View[], seq: number): void {
  if (newer(model, 'views', seq)) model.views = views;
}

function putExecutors(model: Model, executors: beckon.ExecutorStatus[], seq: number): void {
  if (newer(model, 'executors', seq)) model.executors = executors;
}

function putRelease(model: Model, release: beckon.ReleaseNotice, seq: number): void {
  if (newer(model, 'release', seq)) model.release = release;
}

function putQueue(model: Model, queue: beckon.MessageQueue, seq: number): void {
  if (!newer(model, `queue/${queue.taskId}`, seq)) return;
  if (queue.messages.length > 0 && gone(model, queue.taskId, seq)) return;
  if (queue.messages.length > 0) model.queues.set(queue.taskId, queue.messages);
  else model.queues.delete(queue.taskId);
}

/** Queues that the whole state does not name are empty. */
function dropQueues(model: Model, whole: beckon.Frame): void {
  const named = new Set(whole.events.map((event) => event.queue?.taskId));
  for (const taskId of [...model.queues.keys()])
    if (!named.has(taskId)) putQueue(model, { taskId, messages: [] }, whole.seq);
}

function putComments(model: Model, count: beckon.CommentCount, seq: number): void {
  if (!newer(model, `comments/${count.taskId}`, seq) || gone(model, count.taskId, seq)) return;
  if (count.changed > 0) model.comments.set(count.taskId, count);
  else model.comments.delete(count.taskId);
}

/** Tasks that the whole state does not name have no comments. */
function dropComments(model: Model, whole: beckon.Frame): void {
  const named = new Set(whole.events.map((event) => event.comments?.taskId));
  for (const taskId of [...model.comments.keys()])
    if (!named.has(taskId))
      putComments(model, { taskId, drafts: 0, open: 0, changed: 0 }, whole.seq);
}

/** Whether a value of frame seq may replace what stands; notes it if so. */
function newer(model: Model, key: string, seq: number): boolean {
  if (seq < (model.seqs.get(key) ?? -1)) return false;
  model.seqs.set(key, seq);
  return true;
}

const kinds: Kind[] = ['project', 'task', 'run', 'question', 'session', 'script', 'pull'];

/** Takes away what has the id, and what belongs to a task that has it. */
function drop(model: Model, id: string, seq: number): void {
  model.seqs.set(`gone/${id}`, seq);
  for (const kind of kinds) dropRow(model, kind, id, seq);
  for (const run of [...model.runs.keys()])
    if (model.runs.get(run)?.taskId === id) dropRow(model, 'run', run, seq);
  for (const q of [...model.questions.keys()])
    if (model.questions.get(q)?.taskId === id) dropRow(model, 'question', q, seq);
  for (const script of [...model.scripts.keys()])
    if (model.scripts.get(script)?.taskId === id) dropRow(model, 'script', script, seq);
  putQueue(model, { taskId: id, messages: [] }, seq);
  model.comments.delete(id);
}

function dropRow(model: Model, kind: Kind, id: string, seq: number): void {
  if (seq >= (model.seqs.get(`${kind}/${id}`) ?? -1)) rowsOf(model, kind).delete(id);
}

/** The rows that a frame names. */
export function namedIn(frame: beckon.Frame): Set<string> {
  const rows = frame.events.map(rowOf).filter((row) => row !== undefined);
  return new Set(rows.map((row) => `${row.kind}/${row.value.id}`));
}

/** Takes away the rows that the whole state of that number does not name. */
export function dropUnnamed(model: Model, named: ReadonlySet<string>, seq: number): void {
  for (const kind of kinds) {
    for (const id of [...rowsOf(model, kind).keys()]) {
      if (!named.has(`${kind}/${id}`)) dropRow(model, kind, id, seq);
    }
  }
}

function rowsOf(model: Model, kind: Kind): Rows<unknown> {
  const rows = {
    project: model.projects,
    task: model.tasks,
    run: model.runs,
    question: model.questions,
    session: model.sessions,
    script: model.scripts,
    pull: model.pulls,
  };
  return rows[kind] as Rows<unknown>;
}
