// A session of Claude Code's in a terminal, as far as its files and its hook
// show it; what draws the terminal is played by a process that sleeps.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Beckon } from './beckon';
import { program } from './places';

/** A question as the tool AskUserQuestion has it. */
export interface Asked {
  question: string;
  header: string;
  multiSelect: boolean;
  options: { label: string; description: string }[];
}

export class Terminal {
  readonly id = randomUUID();
  readonly #started = Date.now();
  #said = 0;

  private constructor(
    private readonly beckon: Beckon,
    readonly dir: string,
    private readonly name: string,
    private readonly process: ChildProcess,
  ) {}

  /** Starts a session in a folder. */
  static async open(beckon: Beckon, dir: string, name: string): Promise<Terminal> {
    const process = spawn('sleep', ['600'], { cwd: dir, env: { HOME: beckon.home }, stdio: 'ignore' });
    await once(process, 'spawn');
    const terminal = new Terminal(beckon, dir, name, process);
    terminal.stands('idle');
    return terminal;
  }

  /** Writes down how it stands, in place, as the CLI does. */
  stands(status: 'idle' | 'busy' | 'waiting'): void {
    const pid = this.process.pid!;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const procStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const now = Date.now();
    const folder = join(this.beckon.home, '.claude', 'sessions');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${pid}.json`), JSON.stringify({
      pid, sessionId: this.id, cwd: this.dir, startedAt: this.#started, procStart, version: '2.1.197', kind: 'interactive', entrypoint: 'cli',
      name: this.name, status, updatedAt: now, statusUpdatedAt: now,
    }));
  }

  /** Writes what the agent says. */
  says(text: string): void {
    this.#write('assistant', [{ type: 'text', text }]);
  }

  /** Asks in its terminal. */
  asks(call: string, ...questions: Asked[]): void {
    this.#write('assistant', [{ type: 'tool_use', id: call, name: 'AskUserQuestion', input: { questions } }]);
    this.stands('waiting');
  }

  /** Is answered in its terminal, or by its hook. */
  hears(call: string, questions: Asked[], answers: Record<string, string>): void {
    this.#write('user', [{ type: 'tool_result', tool_use_id: call, content: 'Your questions have been answered.' }], { questions, answers });
    this.stands('busy');
  }

  /** Runs the hook of a question, and returns what it prints once it ends. */
  async hook(...questions: Asked[]): Promise<string> {
    const hook = spawn(program, ['hook', '-data', this.beckon.data], { env: { HOME: this.beckon.home, PATH: process.env.PATH }, stdio: ['pipe', 'pipe', 'inherit'] });
    let printed = '';
    hook.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    hook.stdin.end(JSON.stringify({
      session_id: this.id, cwd: this.dir, hook_event_name: 'PermissionRequest', tool_name: 'AskUserQuestion', tool_input: { questions },
    }));
    await once(hook, 'close');
    return printed;
  }

  /** Ends as one that was killed does: its presence file stays. */
  close(): void {
    this.process.kill('SIGKILL');
  }

  #write(type: string, content: object[], toolUseResult?: object): void {
    const folder = join(this.beckon.home, '.claude', 'projects', this.dir.replaceAll(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    appendFileSync(join(folder, `${this.id}.jsonl`), `${JSON.stringify({
      parentUuid: null, isSidechain: false, type, uuid: randomUUID(), timestamp: new Date().toISOString(), sessionId: this.id,
      cwd: this.dir, version: '2.1.197', message: { id: `msg_${this.#said++}`, type: 'message', role: type, content }, toolUseResult,
    })}\n`);
  }
}
