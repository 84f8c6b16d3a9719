import { untrack } from 'svelte';
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { api, type beckon } from '../bridge';
import { apply, dropUnnamed, namedIn, type Model } from './apply';
import { clock } from './clock.svelte';
import { Pacer, Turns } from './pacer';
import { Progress } from './progress';
import { Table } from './table.svelte';
import { Transcript, type Seen } from './transcript.svelte';
import * as views from './views';

/** Of so many tasks that were left the end is kept. */
const mostSeen = 8;

/** How the page stands with Beckon. */
export type Connection = 'connecting' | 'open' | 'lost' | 'refused';

/** What holds until Beckon has told its own. */
const freshSettings: beckon.Settings = {
  slots: 3,
  language: '',
  theme: '',
  singleKeys: true,
  holdQueue: false,
  observe: true,
  observeRoots: [],
  tellElsewhere: true,
  elsewhereMet: false,
  claudeMet: '',
  hooksDeclined: false,
  away: false,
  takeBackMs: 0,
  autostart: false,
  shortcut: '',
  keys: {},
  awake: { on: false, asked: false, battery: 30 },
  sleptMet: 0,
  looks: {
    textSize: 0,
    density: '',
    codeFont: '',
    contrast: '',
    motion: '',
    hideSpent: false,
    needsInPlace: false,
  },
  labelTones: {},
  agent: '',
  ownAgents: [],
  updates: false,
  quietMinutes: 10,
  notify: {
    tell: {},
    chime: '',
    quietFrom: 0,
    quietTo: 0,
    soonOff: false,
    remindMinutes: 0,
    trayHidden: false,
    trayCount: false,
  },
};

/** All that Beckon told the page. Only frames and moves under way change it. */
export class Store implements Model {
  readonly projects = new Table<beckon.Project>();
  readonly tasks = new Table<beckon.Task>();
  readonly runs = new Table<beckon.Run>();
  readonly questions = new Table<beckon.Question>();
  readonly sessions = new Table<beckon.OutsideSession>();
  readonly scripts = new Table<beckon.ScriptRun>();
  readonly terminals = new Table<beckon.Terminal>();
  readonly pulls = new Table<beckon.PullRequest>();
  settings = $state.raw<beckon.Settings>(freshSettings);
  mission = $state.raw<beckon.Mission>({ layout: 4, panes: [], removed: [], maximised: '' });
  disk = $state.raw<beckon.Disk>({ full: false, dir: '' });
  floods = $state.raw<beckon.Flood[]>([]);
  spending = $state.raw<beckon.Spending>({
    budgets: [],
    today: { tokens: 0, costUsd: 0, unpriced: 0 },
    windows: [],
  });
  /** The budgets, each by the id of its task or project; the day's by "". */
  readonly budgets = $derived(new Map(this.spending.budgets.map((one) => [one.subject, one])));
  /** What leaves this computer, once that was asked for. */
  channels = $state.raw<beckon.Channels | undefined>();
  /** How boards are looked at, under names, the oldest first. */
  views = $state.raw<beckon.View[]>([]);
  /** Where runs execute besides this computer, the oldest first. */
  executors = $state.raw<beckon.ExecutorStatus[]>([]);
  slept = $state.raw<beckon.Slept>({ from: 0, to: 0, runs: [], questions: [] });
  release = $state.raw<beckon.ReleaseNotice>({
    version: '',
    page: '',
    way: '',
    file: '',
    command: '',
  });
  readonly queues = new Table<beckon.Message[]>();
  readonly comments = new Table<beckon.CommentCount>();
  about = $state.raw<beckon.About | undefined>();
  connection = $state<Connection>('connecting');
  /** Whether the state was here once, as much of it as the screens begin with. */
  ready = $state(false);
  /** Whether all of it was: nothing can be counted before, nor said not to be there. */
  whole = $state(false);
  seqs = new Map<string, number>();

  #progress = new Progress(
    (id) => this.runs.get(id),
    (frame) => this.#take(frame),
  );
  #turns = new Turns();
  #open = new Map<string, Opened>();
  /** What was shown of the tasks that were left last: it is there in the frame in which one comes back, and read again. */
  #seen = new Map<string, Seen>();
  /** Counts what was opened, for those who read a task's past before it is. */
  #opened = $state(0);
  #client = '';
  #watching = Promise.resolve();
  #hidden = false;
  readonly #heard = new Set<(notice: beckon.Notice) => void>();

  /** When the link to a run came back, by the run's id. */
  readonly linkBack = new SvelteMap<string, number>();
  /** Questions whose answer left this page: they wait no more, in the frame of the key. */
  readonly leaving = new SvelteSet<string>();
  /** The questions that wait, the longest waiting first. */
  readonly waiting = $derived(
    views.waiting(this.questions.values().filter((question) => !this.leaving.has(question.id))),
  );
  /** The same in the order in which to answer them. */
  readonly urgent = $derived(views.byUrgency(this.waiting, (q) => this.#blocks(q)));
  /** What ssh asks, the longest waiting first. */
  readonly asks = $derived(views.asksOf(this.executors).filter(({ id }) => !this.leaving.has(id)));
  /** All that waits for the person, in the order in which to answer it. */
  readonly wanted = $derived(views.inTurn(this.urgent, this.asks));
  readonly waitingByTask = $derived(views.byTask(this.waiting));
  /** The same by task, who presses most first. */
  readonly urgentByTask = $derived(views.byTask(this.urgent));
  readonly latestRuns = $derived(views.latestRuns(this.runs.values()));
  /** The tasks whose work waits to be looked at. */
  readonly reviews = $derived(views.toReview(this.tasks.values(), this.latestRuns));
  /** The slots of this computer; where there are others, what runs anywhere, without what is free. */
  readonly slots = $derived(
    this.executors.length > 0
      ? views.slots(this.runs.values(), this.waitingByTask, 0)
      : this.slotsOf(''),
  );
  readonly counts = $derived(
    views.countsByProject(this.tasks.values(), this.waitingByTask, this.latestRuns),
  );
  readonly sortedProjects = $derived(this.projects.values().sort((a, b) => a.created - b.created));
  readonly title = $derived(views.title(this.wanted.length));
  readonly #queued = $derived(this.tasks.values().filter(({ status }) => status === 'queued'));
  readonly #starts = $derived(this.#queued.map(views.startOf).filter((at) => at > 0));
  /** The latest start that has come: what is due changes with it, and not with each second. */
  readonly #came = $derived(
    this.#starts.length === 0 ? 0 : Math.max(0, ...this.#starts.filter((at) => at <= clock.now)),
  );
  /** The queued tasks that a free slot would start, by where they execute. */
  readonly dueByPlace = $derived(
    views.grouped(
      this.#queued.filter(
        (task) => views.startOf(task) <= this.#came && this.firstOf(task) === undefined,
      ),
      (task) => this.placeOf(task),
    ),
  );
  /** Where they wait for a slot, since all are taken. */
  readonly #full = $derived(
    views.fullPlaces(
      new Map([
        ['', this.settings.slots],
        ...this.executors.map(({ executor }) => [executor.id, executor.slots] as const),
      ]),
      this.dueByPlace,
      this.runs.values(),
    ),
  );
  readonly #executors = $derived(
    new Map(this.executors.map((status) => [status.executor.id, status])),
  );
  readonly #ways = $derived(
    new Map(
      this.sessions
        .values()
        .flatMap((session) => session.asks.map((ask) => [ask.questionId, ask.way] as const)),
    ),
  );
  readonly #byKey = $derived(new Map(this.tasks.values().map((task) => [task.key, task])));

  /** Whether the agent that asks holds a slot that queued tasks wait for. */
  #blocks(q: beckon.Question): boolean {
    const run = this.runs.get(q.runId);
    return run !== undefined && views.holdsSlot(run) && this.#full.has(run.executor);
  }

  /** How many queued tasks wait for a slot that an agent holds who asks. */
  get blocked(): number {
    const places = new Set(
      this.waiting.filter((q) => this.#blocks(q)).map((q) => this.runs.get(q.runId)!.executor),
    );
    return [...places].reduce((n, place) => n + (this.dueByPlace.get(place)?.length ?? 0), 0);
  }

  /** Where runs execute besides this computer, by id; undefined of this computer. */
  executor(id: string): beckon.ExecutorStatus | undefined {
    return this.#executors.get(id);
  }

  /** The tasks that wait until an executor can be reached: they are queued for it, or begin there. */
  waitersOn(id: string): beckon.Task[] {
    const begins = this.runs
      .values()
      .filter((run) => run.executor === id && run.phase === 'starting')
      .flatMap((run) => this.tasks.get(run.taskId) ?? []);
    return [...new Set([...begins, ...(this.dueByPlace.get(id) ?? [])])];
  }

  /** Where a task's next run executes: the id of an executor, or empty for this computer. */
  placeOf(task: beckon.Task): string {
    return views.placeOf(task, this.projects.get(task.projectId));
  }

  /** Where a task's agent works, or did what is to be reviewed; else where it will. */
  whereOf(task: beckon.Task, run: beckon.Run | undefined): string {
    return run && (views.alive(run) || task.status === 'review')
      ? run.executor
      : this.placeOf(task);
  }

  /** One cell per agent that may run at once on an executor; "" is this computer. */
  slotsOf(place: string): views.Slot[] {
    const limit = place === '' ? this.settings.slots : (this.executor(place)?.executor.slots ?? 0);
    return views.slots(
      this.runs.values().filter((run) => run.executor === place),
      this.waitingByTask,
      limit,
    );
  }

  /** What a session elsewhere waits for, what presses most first. */
  waitingOf(session: beckon.OutsideSession): beckon.Question[] {
    const own = new Set(session.asks.map((ask) => ask.questionId));
    return this.urgent.filter((question) => own.has(question.id));
  }

  /** The session elsewhere that asks an open question. */
  sessionOf(questionId: string): beckon.OutsideSession | undefined {
    return this.sessions
      .values()
      .find((session) => session.asks.some((ask) => ask.questionId === questionId));
  }

  /** How an open question of a session elsewhere can be answered from here. */
  wayOf(questionId: string): beckon.AnswerWay | undefined {
    return this.#ways.get(questionId);
  }

  /** The task that is called KES-47. */
  taskByKey(key: string): beckon.Task | undefined {
    return this.#byKey.get(key);
  }

  projectByKey(key: string): beckon.Project | undefined {
    return this.projects.values().find((project) => project.key === key);
  }

  /** The task that another one waits for, as long as it does. */
  firstOf(task: beckon.Task): beckon.Task | undefined {
    const first = this.tasks.get(task.after);
    return first && !views.isOver(first) ? first : undefined;
  }

  /** The tasks that wait for another one. */
  blockedBy(task: beckon.Task): beckon.Task[] {
    return views.isOver(task)
      ? []
      : [...this.tasks.values()].filter(
          (other) =>
            other.after === task.id && (other.status === 'backlog' || other.status === 'queued'),
        );
  }

  /** The folders that a task's paths are read from: its worktree, its project. */
  foldersOf(taskId: string): string[] {
    const task = this.tasks.get(taskId);
    const session = this.sessions.get(taskId);
    if (session) return [session.dir];
    return [task?.worktree ?? '', (task && this.projects.get(task.projectId)?.dir) ?? ''];
  }

  /** All runs of a task that the page knows of, oldest first. */
  runsOf(taskId: string): beckon.Run[] {
    const past = this.#transcript(taskId)?.pastRuns ?? [];
    const now = this.runs.values().filter((run) => run.taskId === taskId);
    return newest(past, now).sort((a, b) => a.number - b.number);
  }

  /** All questions of a task that the page knows of, oldest first. */
  questionsOf(taskId: string): beckon.Question[] {
    const past = this.#transcript(taskId)?.pastQuestions ?? [];
    const now = this.questions.values().filter((question) => question.taskId === taskId);
    return newest(past, now).sort((a, b) => a.asked - b.asked);
  }

  /** Has each notice heard as it comes, until the returned function is called. */
  hear(notice: (notice: beckon.Notice) => void): () => void {
    this.#heard.add(notice);
    return () => this.#heard.delete(notice);
  }

  /** Takes a frame. */
  apply(frame: beckon.Frame): void {
    this.#take(this.#progress.hold(frame));
  }

  #take(frame: beckon.Frame): void {
    const runs = frame.events.flatMap(({ run }) => run?.id ?? []);
    const lost = new Set(runs.filter((id) => (this.runs.get(id)?.linkLost ?? 0) > 0));
    const rest = apply(this, frame);
    for (const id of runs) this.#noteLink(this.runs.get(id), lost);
    for (const { notice } of rest) if (notice) this.#heard.forEach((hear) => hear(notice));
    for (const [taskId, { pacer }] of this.#open) {
      const mine = rest.filter((event) => event.taskId === taskId || event.reload === taskId);
      if (mine.length > 0) pacer.take(mine);
    }
  }

  /** Takes the whole state, whose first part this is, and fetches the others, until `stale`. */
  async attach(first: beckon.Frame, stale: () => boolean): Promise<void> {
    this.apply(first);
    const named = namedIn(first);
    for (let { more } = first; more !== undefined;) {
      const part = await api.attachMore(more);
      if (stale()) return;
      this.apply(part);
      for (const name of namedIn(part)) named.add(name);
      ({ more } = part);
    }
    if (first.more !== undefined) dropUnnamed(this, named, first.seq);
    this.whole = true;
  }

  /** Notes when the link to a run came back that was lost. */
  #noteLink(run: beckon.Run | undefined, lost: Set<string>): void {
    if (run === undefined) return;
    if (run.linkLost > 0 || !views.alive(run)) this.linkBack.delete(run.id);
    else if (lost.has(run.id)) this.linkBack.set(run.id, Date.now());
  }

  /** Forgets frame numbers: a restarted Beckon counts from the start. */
  forgetNumbers(): void {
    this.seqs = new Map();
    this.#progress.drop();
  }

  /** Tells Beckon what is shown and catches up, after each attach. */
  async attached(client: string): Promise<void> {
    this.#client = client;
    for (const { transcript, pacer } of this.#open.values()) {
      pacer.flush();
      transcript.forgetLive();
    }
    await this.#watch();
    // A transcript that cannot be read says so in its `failure`.
    await Promise.allSettled([...this.#open.values()].map(load));
  }

  /** A page that nobody sees follows no transcript; it catches up when it is seen again. */
  async hide(hidden: boolean): Promise<void> {
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    if (hidden) await this.#watch();
    else await this.attached(this.#client);
  }

  /**
   * The transcript of a task, followed until it is closed as often as it was
   * opened. The first page comes on its own; what fails is its `failure`.
   */
  open(taskId: string): Transcript {
    const known = this.#open.get(taskId);
    if (known) {
      known.users++;
      return known.transcript;
    }
    const transcript = new Transcript(
      taskId,
      (runId) => this.runs.get(runId)?.number,
      this.#seen.get(taskId),
    );
    const opened = {
      transcript,
      users: 1,
      pacer: new Pacer<beckon.Event>((events) => transcript.take(events), this.#turns),
    };
    this.#open.set(taskId, opened);
    // Who opens does not follow what is open.
    untrack(() => this.#opened++);
    // Watch before reading, so that nothing falls between the two.
    if (this.#client !== '') void this.#begin(transcript);
    return transcript;
  }

  close(taskId: string): void {
    const known = this.#open.get(taskId);
    if (known === undefined || --known.users > 0) return;
    this.#open.delete(taskId);
    this.#see(taskId, known.transcript.seen());
    known.transcript.close();
    void this.#watch().catch(() => {});
  }

  /** Reads the end of what is one key away: it is then there in the frame of that key, as what was left last is. */
  async expect(taskId: string): Promise<void> {
    if (this.#open.has(taskId)) return;
    const transcript = new Transcript(taskId, (runId) => this.runs.get(runId)?.number);
    await transcript.load().catch(() => {}); // it says so where it is opened
    transcript.close();
    const seen = transcript.seen();
    if (seen && !this.#open.has(taskId)) this.#see(taskId, seen);
  }

  #see(taskId: string, seen: Seen | undefined): void {
    this.#seen.delete(taskId);
    if (seen) this.#seen.set(taskId, seen);
    if (this.#seen.size > mostSeen) this.#seen.delete(this.#seen.keys().next().value!);
  }

  /** How many milliseconds an open transcript may lag behind, since it is only glanced at; 0 shows each frame. */
  pace(taskId: string, ms: number): void {
    const opened = this.#open.get(taskId);
    if (opened === undefined) return;
    opened.pacer.ms = ms;
    opened.transcript.glanced = ms > 0;
  }

  #transcript(taskId: string): Transcript | undefined {
    void this.#opened;
    return this.#open.get(taskId)?.transcript;
  }

  /** A transcript that cannot be watched is read all the same; its `failure` tells what cannot be read. */
  async #begin(transcript: Transcript): Promise<void> {
    await this.#watch().catch(() => {});
    await transcript.load().catch(() => {});
  }

  /** One call after the other: the last word must not be overtaken by the one before. */
  #watch(): Promise<void> {
    const tell = async () => {
      if (this.#client !== '')
        await api.watch(this.#client, this.#hidden ? [] : [...this.#open.keys()]);
    };
    this.#watching = this.#watching.then(tell, tell);
    return this.#watching;
  }
}

/** A transcript that somebody shows. */
interface Opened {
  transcript: Transcript;
  users: number;
  /** What is held must not come after a page that is newer than it. */
  pacer: Pacer<beckon.Event>;
}

function load({ transcript, pacer }: Opened): Promise<void> {
  pacer.flush();
  return transcript.load();
}

/** Of two lists the newer values, by id. */
function newest<T extends { id: string }>(past: T[], now: T[]): T[] {
  return [...new Map([...past, ...now].map((one) => [one.id, one])).values()];
}

/** What the page knows. */
export const store = new Store();
