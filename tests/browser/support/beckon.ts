// Beckon under test: `beckon serve` in a folder of its own, with a scripted
// agent in claude's place. Nothing of it is left when it is closed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { patience } from './patience';
import { program } from './places';
import { Repo, type Sample } from './repo';

/** How long the program may take to start or to end, in milliseconds. */
const most = patience(20_000);

/** How long a question that has just come takes no answer, and a little more. */
export const newcomer = 600;

/** A task as tests make it; what is left out is as the project says. */
export interface Draft {
  title: string;
  brief?: string;
  status?: 'backlog' | 'queued' | 'running';
  labels?: string[];
  priority?: number;
  policy?: 'proceed' | 'wait';
  waitMs?: number;
}

/** What the tests read of a task and a question. */
export interface Task {
  id: string;
  key: string;
  title: string;
  status: string;
  branch: string;
  /** Empty of one that has no folder yet. */
  worktree: string;
}
export interface Question {
  id: string;
  kind: string;
  settlement: string;
  asked: number;
  items: { text: string }[];
  /** `content` is what filled a form, as JSON. */
  answer?: {
    items: { labels: string[]; other: string }[];
    verdict: string;
    text: string;
    content?: string;
  };
}

export class Beckon {
  readonly repo: Repo;
  /** http://127.0.0.1:PORT */
  base = '';
  /** The address that is printed; it opens the page once. */
  link = '';
  #child: ChildProcess | undefined;
  #said = '';
  #entered = false;
  /** What calls need besides the cookie. */
  #key = '';

  private constructor(
    readonly dir: string,
    sample: Sample,
    private readonly env: Record<string, string>,
    private readonly args: string[],
  ) {
    this.repo = Repo.make(dir, sample);
  }

  /**
   * Starts Beckon with an agent that follows a script, or scripts that are
   * chosen by what the task says, and a repository.
   */
  static async start(
    scripts: string[],
    sample: Sample,
    env: Record<string, string> = {},
    args: string[] = [],
  ): Promise<Beckon> {
    const dir = mkdtempSync(join(tmpdir(), 'beckon-browser-'));
    try {
      const beckon = new Beckon(dir, sample, env, args);
      beckon.#writeAgent(scripts);
      await beckon.serve();
      return beckon;
    } catch (error) {
      rmSync(dir, { recursive: true, force: true });
      throw error;
    }
  }

  /** The home of its user. */
  get home(): string {
    return join(this.dir, 'home');
  }

  /** Its data folder. */
  get data(): string {
    return join(this.dir, 'data');
  }

  /** Starts the program, on the port that it had before where it had one. */
  async serve(): Promise<void> {
    // No folder of Claude's: another test's program would find it in this one's environment, and show its sessions.
    // Nor a session's bus: the key ring there is of who runs the tests.
    const env = {
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(this.dir, 'none')}`,
      PATH: process.env.PATH,
      HOME: this.home,
      GIT_CONFIG_NOSYSTEM: '1',
      LANG: 'C.UTF-8',
      ...this.env,
    };
    const args = ['serve', '-data', this.data, '-claude', join(this.dir, 'claude'), ...this.args];
    if (this.base !== '') args.push('-addr', new URL(this.base).host);
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    child.stderr.on('data', (chunk: Buffer) => (this.#said += chunk.toString()));
    const [line] = await this.#within(
      'it prints its address',
      once(createInterface(child.stdout), 'line'),
    ).catch((error: unknown) => {
      child.kill('SIGKILL');
      throw error;
    });
    this.link = (JSON.parse(line as string) as { url: string }).url;
    this.base = new URL(this.link).origin;
    this.#entered = false;
  }

  /** Shows the board, or another page by its hash. The first visit is by the link. */
  async open(page: Page, hash = ''): Promise<void> {
    if (!this.#entered) await this.#enter(page);
    this.#entered = true;
    if (hash !== '' || page.url() !== `${this.base}/`) await page.goto(`${this.base}/${hash}`);
    await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy', 'true');
  }

  /** Opens the link, and keeps the key that comes with it for the calls. */
  async #enter(page: Page): Promise<void> {
    const exchanged = page.waitForResponse((response) => response.url() === this.link);
    await page.goto(this.link);
    this.#key = (await (await exchanged).allHeaders())['beckon-key'] ?? '';
  }

  /** Calls a bound method, as the page does. */
  async call<T>(page: Page, method: string, ...args: unknown[]): Promise<T> {
    const request: APIRequestContext = page.context().request;
    const reply = await request.post(`${this.base}/rpc/${method}`, {
      data: args,
      headers: { 'Beckon-Key': this.#key },
      timeout: most,
    });
    expect(reply.ok(), `${method}: ${await reply.text()}`).toBe(true);
    const text = await reply.text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Gives the person that many milliseconds to take an answer back; the pages that are opened then have it. */
  async takeBack(page: Page, takeBackMs: number): Promise<void> {
    await this.call(page, 'SaveSettings', {
      slots: 3,
      language: '',
      theme: '',
      singleKeys: true,
      takeBackMs,
    });
  }

  /** Says something to a task's agent in the turn that it is in. */
  async steer(page: Page, taskId: string, text: string): Promise<void> {
    await this.call(page, 'SendMessage', taskId, { text, images: [], manner: 'steer' });
  }

  /** Makes the sample repository a trusted project and returns its id. */
  async addProject(page: Page): Promise<string> {
    const project = await this.call<{ id: string }>(page, 'AddProject', {
      dir: this.repo.dir,
      name: 'sample',
      key: 'SAM',
      base: 'main',
      trusted: true,
    });
    return project.id;
  }

  /** Opens the page on a board that has the project and the tasks on it. */
  async openWith(page: Page, ...drafts: Draft[]): Promise<Task[]> {
    await this.open(page);
    const projectId = await this.addProject(page);
    const tasks: Task[] = [];
    for (const draft of drafts) tasks.push(await this.addTask(page, projectId, draft));
    return tasks;
  }

  addTask(page: Page, projectId: string, draft: Draft): Promise<Task> {
    const plain = {
      brief: '',
      status: 'running',
      labels: [],
      priority: 0,
      model: '',
      mode: '',
      policy: '',
      waitMs: 0,
    };
    return this.call<Task>(page, 'CreateTask', { ...plain, ...draft, projectId });
  }

  /** All tasks, as a page that attaches has them. */
  async tasks(page: Page): Promise<(Task & { projectId: string })[]> {
    const frame = await this.call<{ events: { task?: Task & { projectId: string } }[] }>(
      page,
      'Attach',
      'browsertests',
    );
    return frame.events.flatMap((event) => event.task ?? []);
  }

  questions(page: Page, task: Task): Promise<Question[]> {
    return this.call<Question[]>(page, 'Questions', task.id);
  }

  /** The processes of the demos that it started. */
  demos(): number[] {
    const { stdout } = spawnSync('pgrep', ['-P', String(this.#child!.pid), '-f', ' demo -guest$'], {
      encoding: 'utf8',
    });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
  }

  /** Ends its demo as a crash would; what that left is in the folders that `left` lists. */
  endDemo(): { left: () => string[] } {
    const [pid, ...others] = this.demos();
    expect([typeof pid, others]).toEqual(['number', []]);
    const left = () =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`beckon-demo-${pid}-`));
    expect(left()).toHaveLength(1);
    process.kill(pid!, 'SIGKILL');
    return { left };
  }

  /** Ends the program as a crash of the machine would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends the program and removes all that it had. */
  async close(): Promise<void> {
    const code = await this.#end('SIGTERM');
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
    expect(code, `serve ends well\n${this.#said}`).toBe(0);
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === undefined) return 0;
    this.#child = undefined;
    if (child.exitCode !== null) return child.exitCode;
    const gone = once(child, 'exit');
    child.kill(signal);
    const [code] = await this.#within(`it ends by ${signal}`, gone);
    return code as number | null;
  }

  /** The agent is the program itself, which plays one on request. */
  #writeAgent(scripts: string[]): void {
    mkdirSync(join(this.dir, 'home'));
    mkdirSync(join(this.dir, 'scripts'));
    scripts.forEach((script, i) => {
      const whole = script.startsWith('-- script --') ? script : `-- script --\n${script.trim()}\n`;
      writeFileSync(join(this.dir, 'scripts', `${i}.txtar`), whole);
    });
    // It keeps a record of the conversation where claude does.
    // Only agents have a folder of their own: what Beckon asks claude besides is no
    // agent of its own, and the Beckon of another test would read that folder, too.
    const folder = `[ -z "$BECKON_PROCESS" ] || export CLAUDE_CONFIG_DIR='${this.home}/.claude'`;
    const run = `#!/bin/sh\n${folder}\nBECKON_AGENT_SCRIPTS='${this.dir}/scripts' exec '${program}' "$@"\n`;
    writeFileSync(join(this.dir, 'claude'), run, { mode: 0o755 });
  }

  async #within<T>(what: string, wait: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${what}: not in ${most} ms\n${this.#said}`)),
        most,
      );
    });
    return Promise.race([wait, late]).finally(() => clearTimeout(timer));
  }
}
