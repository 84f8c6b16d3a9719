// A session of Claude Code's in a terminal, as far as its files and its hook
// show it; what draws the terminal is played by a shell that calls the hooks.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Locator } from '@playwright/test';
import type { Beckon } from './beckon';
import { expect, test as base } from './fixture';
import { program } from './places';

/** A question as the tool AskUserQuestion has it. */
export interface Asked {
  question: string;
  header: string;
  multiSelect: boolean;
  options: { label: string; description: string }[];
}

/** What the session of `upload` says first, and may ask. */
export const said = 'The upload test fails once in forty runs.';
export const which: Asked = {
  question: 'How should the client handle an early close?',
  header: 'Early close',
  multiSelect: false,
  options: [
    { label: 'Retry once', description: 'Safe here' },
    { label: 'Fail at once', description: 'What it does today' },
  ],
};

/** How long a hook is waited for, in milliseconds. */
const patience = 60_000;

/** Calls the hook for each file that it reads the name of, as a child of its own: Beckon believes no other. */
const calling =
  'while read -r call; do ("$1" hook -data "$2" <"$call.in" >"$call.out"; mv "$call.out" "$call.done") & done';

export class Terminal {
  readonly id = randomUUID();
  readonly #started = Date.now();
  #said = 0;

  private constructor(
    private readonly beckon: Beckon,
    readonly dir: string,
    private readonly name: string,
    private readonly entrypoint: string,
    private readonly shell: ChildProcess,
  ) {}

  /** Starts a session in a folder; `entrypoint` is what the CLI calls the program that runs it. */
  static async open(
    beckon: Beckon,
    dir: string,
    name: string,
    entrypoint = 'cli',
  ): Promise<Terminal> {
    const shell = spawn('sh', ['-c', calling, 'sh', program, beckon.data], {
      cwd: dir,
      env: { HOME: beckon.home, PATH: process.env.PATH },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    await once(shell, 'spawn');
    const terminal = new Terminal(beckon, dir, name, entrypoint, shell);
    terminal.stands('idle');
    return terminal;
  }

  /** Writes down how it stands, in place, as the CLI does. */
  stands(status: 'idle' | 'busy' | 'waiting'): void {
    const pid = this.shell.pid!;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const procStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const now = Date.now();
    const folder = join(this.beckon.home, '.claude', 'sessions');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${pid}.json`),
      JSON.stringify({
        pid,
        sessionId: this.id,
        cwd: this.dir,
        startedAt: this.#started,
        procStart,
        version: '2.1.197',
        kind: 'interactive',
        entrypoint: this.entrypoint,
        name: this.name,
        status,
        updatedAt: now,
        statusUpdatedAt: now,
      }),
    );
  }

  /** Writes what the agent says. */
  says(text: string): void {
    this.#write('assistant', [{ type: 'text', text }]);
  }

  /** Asks in its terminal. */
  asks(call: string, ...questions: Asked[]): void {
    this.calls(call, 'AskUserQuestion', { questions });
  }

  /** Waits for the person before it uses a tool, or has its plan approved. */
  calls(call: string, tool: string, input: object): void {
    this.#write('assistant', [{ type: 'tool_use', id: call, name: tool, input }]);
    this.stands('waiting');
  }

  /** Has a sub-agent at work. */
  delegates(call: string, description: string): void {
    this.#write('assistant', [
      { type: 'tool_use', id: call, name: 'Agent', input: { description, prompt: description } },
    ]);
    const folder = join(this.#folder, this.id, 'subagents');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'agent-a1.meta.json'),
      JSON.stringify({ agentType: 'Explore', description, toolUseId: call }),
    );
    writeFileSync(
      join(folder, 'agent-a1.jsonl'),
      `${JSON.stringify({ ...this.#line('assistant', [{ type: 'text', text: 'I look around.' }]), isSidechain: true, agentId: 'a1' })}\n`,
    );
    this.stands('busy');
  }

  /** Is answered in its terminal, or by its hook. */
  hears(call: string, questions: Asked[], answers: Record<string, string>): void {
    this.#write(
      'user',
      [{ type: 'tool_result', tool_use_id: call, content: 'Your questions have been answered.' }],
      { questions, answers },
    );
    this.stands('busy');
  }

  /** Is declined in its terminal, which interrupts the turn. */
  declines(call: string): void {
    const said =
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
    this.#write(
      'user',
      [{ type: 'tool_result', tool_use_id: call, content: said, is_error: true }],
      'User rejected tool use',
    );
    this.#write('user', [{ type: 'text', text: '[Request interrupted by user for tool use]' }]);
    this.stands('idle');
  }

  /** Has the session call the hook of a question, and returns what it prints once it ends. */
  hook(...questions: Asked[]): Promise<string> {
    return this.hookOf('AskUserQuestion', { questions });
  }

  /** Has the session call the hook of a call. */
  async hookOf(tool: string, input: object): Promise<string> {
    const call = join(mkdtempSync(join(this.beckon.home, 'hook-')), 'call');
    writeFileSync(
      `${call}.in`,
      JSON.stringify({
        session_id: this.id,
        cwd: this.dir,
        hook_event_name: 'PermissionRequest',
        tool_name: tool,
        tool_input: input,
      }),
    );
    this.shell.stdin!.write(`${call}\n`);
    for (const end = Date.now() + patience; !existsSync(`${call}.done`); await setTimeout(20)) {
      if (Date.now() > end) throw new Error('the hook waits');
    }
    return readFileSync(`${call}.done`, 'utf8');
  }

  /** Ends as one that was killed does: its presence file stays. */
  close(): void {
    this.shell.kill('SIGKILL');
  }

  get #folder(): string {
    return join(this.beckon.home, '.claude', 'projects', this.dir.replaceAll(/[^A-Za-z0-9]/g, '-'));
  }

  #line(type: string, content: object[]): object {
    return {
      parentUuid: null,
      isSidechain: false,
      type,
      uuid: randomUUID(),
      timestamp: new Date().toISOString(),
      sessionId: this.id,
      cwd: this.dir,
      version: '2.1.197',
      message: { id: `msg_${this.#said++}`, type: 'message', role: type, content },
    };
  }

  #write(type: string, content: object[], toolUseResult?: object | string): void {
    mkdirSync(this.#folder, { recursive: true });
    appendFileSync(
      join(this.#folder, `${this.id}.jsonl`),
      `${JSON.stringify({ ...this.#line(type, content), toolUseResult })}\n`,
    );
  }
}

interface Fixtures {
  /** Starts a session in a folder, see `Terminal.open`; it ends with the test. */
  open: (...args: Parameters<typeof Terminal.open>) => Promise<Terminal>;
  /** Shows Mission Control with the session "fix upload" in the sample project, or in a folder of its user's. */
  upload: (
    script?: string,
    folder?: string,
  ) => Promise<{ beckon: Beckon; terminal: Terminal; pane: Locator }>;
}

export const test = base.extend<Fixtures>({
  // Its program outlives its sessions: they end first.
  open: async ({ start: _ }, use) => {
    const opened: Terminal[] = [];
    await use(async (...args) => {
      const terminal = await Terminal.open(...args);
      opened.push(terminal);
      return terminal;
    });
    for (const terminal of opened) terminal.close();
  },
  upload: async ({ page, start, open }, use) => {
    await use(async (script = 'text Nothing.', folder = '') => {
      const beckon = await start(script);
      await beckon.openWith(page);
      const dir = folder === '' ? beckon.repo.dir : join(beckon.home, folder);
      mkdirSync(dir, { recursive: true });
      const terminal = await open(beckon, dir, 'fix upload');
      terminal.says(said);
      await beckon.open(page, '#/mission');
      const pane = page.getByRole('region', { name: /^fix upload, started elsewhere/ });
      await expect(pane).toContainText(said);
      return { beckon, terminal, pane };
    });
  },
});
