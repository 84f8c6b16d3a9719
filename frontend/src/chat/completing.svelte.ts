// What completes the word at the caret, as it is typed.

import { api, type beckon } from '../bridge';
import { commandOptions, fileOptions, mostOptions, type Option, type Token, tokenAt } from './complete';

/** Ports of completing: where completions come from. */
export interface Ports {
  commands(taskId: string): Promise<beckon.Command[]>;
  files(taskId: string, typed: string): Promise<string[]>;
}

const ports: Ports = {
  commands: async (taskId) => (await api.abilities(taskId)).commands,
  files: (taskId, typed) => api.findFiles(taskId, typed, mostOptions),
};

/** Completing is the list of completions of one field. */
export class Completing {
  token = $state.raw<Token>();
  options = $state.raw<Option[]>([]);
  active = $state(0);

  /** Where the list was closed by hand; it stays so for that word. */
  #shutAt = -1;
  #commands: beckon.Command[] | undefined;
  /** The word that is asked for, and whether a question is under way: there is one at a time. */
  #wanted = '';
  #busy = false;

  constructor(
    private readonly taskId: () => string,
    private readonly from: Ports = ports,
  ) {}

  get open(): boolean {
    return this.token !== undefined && this.options.length > 0;
  }

  get chosen(): Option | undefined {
    return this.options[this.active];
  }

  /** Looks at the word at the caret, after each change of it. */
  look(text: string, caret: number): void {
    const token = tokenAt(text, caret);
    if (token === undefined || token.from !== this.#shutAt) this.#shutAt = -1;
    if (token === undefined || token.from === this.#shutAt) return this.#end();
    if (token.kind !== this.token?.kind || token.from !== this.token.from) this.options = [];
    this.token = token;
    if (token.kind === 'command') void this.#findCommands();
    else void this.#findFiles(token.typed);
  }

  /** Closes the list for the word that it is about. */
  shut(): void {
    this.#shutAt = this.token?.from ?? -1;
    this.#end();
  }

  /** Closes the list; the same word may open it again. */
  leave(): void {
    this.#shutAt = -1;
    this.#end();
  }

  move(by: number): void {
    this.active = (this.active + by + this.options.length) % this.options.length;
  }

  #end(): void {
    this.token = undefined;
    this.options = [];
    this.#wanted = '';
  }

  async #findCommands(): Promise<void> {
    this.#commands ??= await this.from.commands(this.taskId()).catch(() => undefined);
    if (this.token?.kind === 'command') this.#offer(commandOptions(this.#commands ?? [], this.token.typed));
  }

  /** What was typed while an answer was under way is asked for next; the answer itself is stale. */
  async #findFiles(typed: string): Promise<void> {
    this.#wanted = typed;
    if (this.#busy) return;
    this.#busy = true;
    const files = await this.from.files(this.taskId(), typed).catch(() => []);
    this.#busy = false;
    if (this.token?.kind !== 'file') return;
    if (this.#wanted !== typed) return this.#findFiles(this.#wanted);
    this.#offer(fileOptions(files));
  }

  #offer(options: Option[]): void {
    const before = this.chosen?.insert;
    this.options = options;
    this.active = Math.max(0, options.findIndex((one) => one.insert === before));
  }
}
