/**
 * A Beckon that runs in the page, for `npm run dev` and for looking at single
 * states: `?world=empty`, `missing`, `many`, `down`. It keeps no promise but
 * the shapes; no production bundle contains it.
 */
import { BeckonError } from '../errors';
import type { Listener, Transport } from '../transport';
import type * as beckon from '../types';
import { Chats } from './chat';
import { Executors } from './executors';
import { folders, landmarks, nearby, picture, search } from './finding';
import { formQuestion, severalQuestion } from './questions';
import { Remote } from './remote';
import { emptyWorld, minute, sampleWorld, type World } from './sample';
import { sampleEntries } from './transcript';

const changed = (kind: beckon.ChangeStep['kind'], keys: string[]): beckon.ChangeResult => ({ step: { kind, at: Date.now(), keys, taskIds: [] }, refused: [] });

type Call = (...args: never[]) => unknown;

export function fakeTransport(): Transport {
  const fake = new Fake(chooseWorld(new URLSearchParams(location.search).get('world') ?? ''));
  return {
    client: 'fakepage',
    window: false,
    call: (method, args) => fake.call(method, args),
    listen: (listener) => fake.listen(listener),
    retry: () => fake.retry(),
    setTitle: (title) => (document.title = title),
  };
}

function chooseWorld(name: string): World {
  const now = Date.now();
  switch (name) {
    case 'empty':
      return emptyWorld(now, true);
    case 'missing':
      return emptyWorld(now, false);
    case 'many':
      return sampleWorld(now, 10_000);
    case 'fresh':
      return { ...sampleWorld(now), tasks: [], runs: [], questions: [] };
    default:
      return sampleWorld(now);
  }
}

/** The whole session, wherever one asks for it. */
function transcript(taskId: string): beckon.TranscriptPage {
  return { taskId, before: '', after: '', entries: sampleEntries(taskId, Date.now()) };
}

class Fake {
  #world: World;
  #listener?: Listener;
  #seq = 0;

  constructor(world: World) {
    this.#world = world;
  }

  listen(listener: Listener): void {
    this.#listener = listener;
    if (location.search.includes('world=down')) listener.closed();
    else listener.opened();
    if (location.search.includes('form')) this.#send({ question: this.#keep('questions', formQuestion(Date.now())) });
    if (location.search.includes('several')) this.#send({ question: this.#keep('questions', severalQuestion(Date.now())) });
  }

  retry(): void {
    this.#listener?.opened();
  }

  async call(method: beckon.Method, args: unknown[]): Promise<unknown> {
    const known = this.#calls[method] ?? this.#chats[method] ?? this.#remote[method] ?? this.#executors[method];
    if (known === undefined) throw new BeckonError('unavailable', `the fake has no ${method}`);
    return structuredClone(known(...(args as never[])));
  }

  #views: beckon.View[] = [];

  #saveView(view: beckon.View): beckon.View {
    const saved = { ...view, id: view.id || `view${++this.#seq}`, created: view.created || Date.now() };
    this.#sendViews([...this.#views.filter((one) => one.id !== saved.id), saved]);
    return saved;
  }

  #sendViews(all: beckon.View[]): void {
    this.#views = all;
    this.#send({ views: { all } });
  }

  #chats: Record<string, Call> = new Chats({
    run: (taskId) => this.#world.runs.filter((run) => run.taskId === taskId).at(-1)!,
    task: (taskId) => this.#task(taskId),
    send: (event) => this.#send(event),
    keepRun: (run) => this.#send({ run: this.#keep('runs', run) }),
  }).calls();

  #remote: Record<string, Call> = new Remote((event) => this.#send(event)).calls();

  #executors: Record<string, Call> = new Executors((event) => this.#send(event)).calls();

  #calls: Record<string, Call> = {
    About: () => this.#world.about,
    Attach: (): beckon.Frame => ({ seq: ++this.#seq, whole: true, lost: false, events: this.#whole() }),
    AttachMore: (): beckon.Frame => ({ seq: ++this.#seq, whole: false, lost: false, events: [] }),
    Watch: () => undefined,
    SaveSettings: (settings: beckon.Settings) => this.#send({ settings: (this.#world.settings = settings) }),
    SaveMission: (mission: beckon.Mission) => this.#send({ mission: (this.#world.mission = mission) }),
    SaveView: (view: beckon.View) => this.#saveView(view),
    DeleteView: (id: string) => this.#sendViews(this.#views.filter((one) => one.id !== id)),
    OpenURL: () => undefined,
    ChooseFolder: () => '/home/ada/src/kestrel',
    Account: (): beckon.Account => ({ known: true, signedIn: true, email: 'mira@acme.dev', plan: 'max' }),
    Nearby: () => nearby(Date.now()),
    Folders: (typed: string) => folders(typed, Date.now()),
    InspectFolder: (dir: string) => this.#inspect(dir),
    AddProject: (added: beckon.NewProject) => this.#addProject(added),
    EditProject: (edit: beckon.Project) => this.#put('project', 'projects', edit),
    RemoveProject: (id: string) => this.#remove(id),
    CreateTask: (added: beckon.NewTask) => this.#createTask(added),
    CreateTasks: (list: beckon.NewTask[]): beckon.ChangeResult => changed('create', list.map((one) => this.#createTask(one).key)),
    ChangeTasks: (ids: string[], { kind, priority = 0 }: beckon.ManyChange): beckon.ChangeResult => {
      for (const id of ids) {
        if (kind === 'priority') this.#put('task', 'tasks', { ...this.#task(id), priority });
        else if (kind === 'queue') this.#move(id, 'queued', 0);
        else if (kind === 'archive') this.#move(id, 'archived', 0);
      }
      return changed(kind, ids.map((id) => this.#task(id).key));
    },
    Undo: () => changed('', []),
    EditTask: (id: string, edit: beckon.TaskEdit) => this.#put('task', 'tasks', { ...this.#task(id), ...(edit as object) } as beckon.Task),
    MoveTask: (id: string, status: beckon.Status, rank: number) => this.#move(id, status, rank),
    Behind: () => 2,
    Loss: () => ({ token: 't', uncommitted: ['src/balance.rs'], ignored: ['target/'], repositories: [], commits: 2, keptUntil: Date.now() + 30 * 1440 * minute, branchGone: false }),
    CloseTask: (id: string) => this.#move(id, 'done', 0, 'closed'),
    RestoreTask: (id: string) => this.#move(id, this.#task(id).restoresTo || 'review', 0),
    DiskUse: () => ({ worktrees: 1.4e9, spare: 0, discarded: 212e6, partial: false }),
    StartOver: (id: string) => this.#move(id, 'running', 0),
    DiscardTask: (id: string) => this.#move(id, 'archived', 0, 'discarded'),
    DeleteTask: (id: string) => this.#remove(id),
    Transcript: transcript,
    TranscriptAround: transcript,
    TranscriptAfter: transcript,
    Search: (query: beckon.SearchQuery) => search(this.#world.tasks, query, Date.now()),
    Landmarks: (taskId: string) => landmarks(taskId, Date.now()),
    Picture: picture,
    Questions: (taskId: string) => this.#world.questions.filter((q) => q.taskId === taskId),
    Runs: (taskId: string) => this.#world.runs.filter((r) => r.taskId === taskId),
    AnswerQuestion: (id: string, answer: beckon.Answer) => this.#answer(id, answer),
    ChangeAnswer: (id: string, changes: number, answer: beckon.Answer) => this.#change(id, changes, answer),
    ShowTerminal: () => {},
    EndedSessions: () => [],
    AwaitSession: () => undefined,
    TerminalCommand: (runId: string) => `cd -- /home/dev/kestrel && claude --resume ${runId}`,
    DismissQuestion: (id: string) => this.#dismiss(id),
    HoldQuestion: (id: string, held: boolean) => this.#hold(id, held),
    HoldAll: (away: boolean) => this.#holdAll(away),
    SaveDraft: () => undefined,
    Drafts: () => [],
    AnsweredSince: () => this.#world.questions.filter((q) => q.answer || q.settlement === 'expired'),
    Rules: () => this.#world.rules,
    EditRule: (edit: beckon.Rule) => {
      this.#world.rules = this.#world.rules.map((rule) => (rule.id === edit.id ? edit : rule));
      return edit;
    },
    RevokeRule: (id: string) => {
      this.#world.rules = this.#world.rules.filter((rule) => rule.id !== id);
    },
    Merge: (id: string) => this.#move(id, 'done', 0, 'merged'),
    MergeAs: (id: string) => this.#move(id, 'done', 0, 'merged'),
    MergeProposal: (id: string) => ({ way: 'merge', commits: 2, merge: `Merge ${this.#task(id).key}`, squash: this.#task(id).title }),
    Viewed: () => ({}),
    Comments: () => [],
    SaveComment: (edit: beckon.CommentEdit): beckon.Comment => ({
      ...edit.lines,
      id: edit.id || 'comment',
      taskId: edit.taskId,
      number: 1,
      text: edit.text,
      state: 'draft',
      outdated: false,
      messageId: '',
      answer: '',
      turn: 0,
      created: 0,
      sent: 0,
      answered: 0,
      resolved: 0,
    }),
    DeleteComment: () => undefined,
    ResolveComment: () => undefined,
    SendComments: () => 0,
    MarkViewed: () => undefined,
    Programs: () => ['VS Code', 'terminal'],
    OpenIn: () => undefined,
    RunScript: () => undefined,
    StopScript: () => undefined,
    SkipSetup: () => undefined,
    LookAtCheck: () => undefined,
    ScriptOutput: () => ({ text: '', from: 0, next: 0 }),
    SkipUpdate: () => undefined,
    UpdateFromBase: (id: string) => this.#task(id),
    SendBack: (id: string) => this.#move(id, 'running', 0),
    Interrupt: () => undefined,
    Stop: () => undefined,
    Review: (taskId: string) => ({ taskId, base: 'main', behind: 0, omitted: 0, uncommitted: [], refusal: '', conflicts: [], files: [{ path: 'src/mt940.rs', oldPath: '', change: 'M', kind: 'file', similar: 0, oldSize: 0, size: 0, added: 2, removed: 1, mode: '', content: '1-2', binary: false, cut: false, patch: '@@ -1,3 +1,4 @@\n use chrono::NaiveDate;\n-fn parse() {}\n+fn parse(line: &str) -> Result<Balance> {\n+    Balance::from(line)\n }' }] }),
  };

  #whole(): beckon.Event[] {
    const { projects, tasks, runs, questions, settings, mission } = this.#world;
    return [{ settings }, { mission }, ...projects.map((project) => ({ project })), ...tasks.map((task) => ({ task })), ...runs.map((run) => ({ run })), ...questions.map((question) => ({ question }))];
  }

  #send(event: beckon.Event): void {
    const frame = structuredClone({ seq: ++this.#seq, whole: false, lost: false, events: [event] });
    setTimeout(() => this.#listener?.frame(frame), 50);
  }

  #keep<T extends { id: string }>(table: 'projects' | 'tasks' | 'runs' | 'questions', row: T): T {
    const rows = this.#world[table] as unknown as T[];
    const i = rows.findIndex((one) => one.id === row.id);
    if (i >= 0) rows[i] = row;
    else rows.push(row);
    return row;
  }

  #put<T extends { id: string }>(kind: 'project' | 'task', table: 'projects' | 'tasks', row: T): T {
    this.#send({ [kind]: this.#keep(table, row) });
    return row;
  }

  #task(id: string): beckon.Task {
    const task = this.#world.tasks.find((one) => one.id === id);
    if (task === undefined) throw new BeckonError('not_found', 'this task is gone');
    return task;
  }

  #move(id: string, status: beckon.Status, rank: number, how: beckon.Task['resolution'] = ''): beckon.Task {
    const task = this.#task(id);
    if (task.status === 'review' && status === 'done' && how === '') throw new BeckonError('unmerged', `main lacks work of ${task.key}`);
    const ended = status === 'done' || status === 'archived' ? how || task.resolution : '';
    if (task.status === 'done' && status === 'running') throw new BeckonError('conflict', 'a task in done cannot go to running');
    return this.#put('task', 'tasks', { ...task, status, resolution: ended, archivedFrom: status === 'archived' ? task.status : '', restoresTo: status === 'archived' ? task.status : '', rank: rank || Math.max(...this.#world.tasks.map((t) => t.rank)) + 1024, updated: Date.now() });
  }

  #createTask(added: beckon.NewTask): beckon.Task {
    const project = this.#world.projects.find((p) => p.id === added.projectId)!;
    const number = 1 + Math.max(0, ...this.#world.tasks.filter((t) => t.projectId === project.id).map((t) => t.number));
    const base = sampleWorld(Date.now()).tasks[0]!;
    const key = `${project.key}-${number}`;
    return this.#put('task', 'tasks', { ...base, ...(added as object), id: key.toLowerCase(), key, number, status: added.status || 'backlog', rank: Date.now(), updated: Date.now() } as beckon.Task);
  }

  #addProject(added: beckon.NewProject): beckon.Project {
    const like = sampleWorld(Date.now()).projects[0]!;
    return this.#put('project', 'projects', { ...like, ...added, id: `p${Date.now()}`, color: (this.#world.projects.length % 4) + 1 });
  }

  #inspect(dir: string): beckon.ProjectFound {
    const name = dir.split('/').filter(Boolean).at(-1) ?? '';
    if (name === '' || !dir.startsWith('/')) throw new BeckonError('not_found', `there is no folder ${dir || '""'}`);
    return { dir, name, key: name.slice(0, 3).toUpperCase(), git: !dir.includes('plain'), base: 'main', branches: ['main', 'next'], brings: [{ kind: 'servers', names: ['.mcp.json'], more: 0 }, { kind: 'settings', names: ['.claude/settings.json'], more: 0 }], projectId: '' };
  }

  #remove(id: string): void {
    const gone = this.#world.tasks.filter((t) => t.id === id || t.projectId === id).map((t) => t.id);
    this.#world.tasks = this.#world.tasks.filter((t) => !gone.includes(t.id));
    this.#world.runs = this.#world.runs.filter((r) => !gone.includes(r.taskId));
    this.#world.questions = this.#world.questions.filter((q) => !gone.includes(q.taskId));
    this.#world.projects = this.#world.projects.filter((p) => p.id !== id);
    for (const one of new Set([...gone, id])) this.#send({ gone: one });
  }

  #dismiss(id: string): void {
    const q = this.#world.questions.find((one) => one.id === id)!;
    if (q.settlement !== 'orphaned') throw new BeckonError('conflict', 'an agent waits for this answer');
    const dismissed: beckon.Question = { ...q, settlement: 'withdrawn', settled: Date.now(), reason: 'You dismissed it.' };
    this.#send({ question: this.#keep('questions', dismissed) });
  }

  #hold(id: string, held: boolean): void {
    const q = this.#world.questions.find((one) => one.id === id)!;
    const now = Date.now();
    const clock = held ? { heldMs: Math.max(1, q.deadline - now), deadline: 0 } : { heldMs: 0, deadline: now + q.heldMs };
    if (held === q.heldMs > 0) return;
    this.#send({ question: this.#keep('questions', { ...q, ...clock }) });
  }

  #holdAll(away: boolean): void {
    this.#send({ settings: (this.#world.settings = { ...this.#world.settings, away }) });
    for (const q of this.#world.questions) if (q.settlement === 'open' && q.waitMs > 0) this.#hold(q.id, away);
  }

  #change(id: string, changes: number, answer: beckon.Answer): void {
    const question = this.#world.questions.find((q) => q.id === id);
    const { answer: was, earlier = [] } = question ?? {};
    if (!question || !was || earlier.length !== changes) throw new BeckonError('conflict', 'this answer was changed already');
    this.#send({ question: this.#keep('questions', { ...question, earlier: [...earlier, was], answer: { ...answer, by: 'user' as const, at: Date.now() } }) });
  }

  #answer(id: string, answer: beckon.Answer): void {
    const question = this.#world.questions.find((q) => q.id === id);
    const late = question?.settlement === 'expired' && !question.answer;
    if (!late && question?.settlement !== 'open') throw new BeckonError('conflict', 'this question is settled already');
    const at = Date.now();
    const settled: beckon.Question = late ? { ...question, answer: { ...answer, at } } : { ...question, settlement: 'answered', settled: at, answer: { ...answer, by: 'user', at } };
    this.#send({ question: this.#keep('questions', settled) });
    const run = this.#world.runs.find((r) => r.id === question.runId);
    if (run === undefined) return;
    const working: beckon.Run = { ...run, phase: 'working', activity: { verb: 'thinking', target: '', since: Date.now() } };
    this.#send({ run: this.#keep('runs', working) });
  }
}
