// What completes the word at the caret, as it is typed.

import type { beckon } from '../bridge';
import {
  complete,
  commandOptions,
  fileOptions,
  type Option,
  type Token,
  tokenAt,
} from './complete';

/** Where completions come from. */
export interface Ports {
  /** Undefined where there is no agent to command. */
  commands?: () => Promise<beckon.Command[]>;
  files: (typed: string) => Promise<string[]>;
}

/** What a key does while completions are shown. */
const acts: Partial<Record<string, 'next' | 'previous' | 'accept' | 'shut'>> = {
  '↓': 'next',
  '↑': 'previous',
  Enter: 'accept',
  Tab: 'accept',
  Esc: 'shut',
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

  constructor(private readonly from: Ports) {}

  get open(): boolean {
    return this.token !== undefined && this.options.length > 0;
  }

  get chosen(): Option | undefined {
    return this.options[this.active];
  }

  /** Looks at the word at the caret, after each change of it. */
  look(text: string, caret: number): void {
    const found = tokenAt(text, caret);
    const token = found?.kind === 'command' && !this.from.commands ? undefined : found;
    if (token === undefined || token.from !== this.#shutAt) this.#shutAt = -1;
    if (token === undefined || token.from === this.#shutAt) return this.#end();
    if (token.kind !== this.token?.kind || token.from !== this.token.from) this.options = [];
    this.token = token;
    if (token.kind === 'command') void this.#findCommands();
    else void this.#findFiles(token.typed);
  }

  /** Looks at the word at a field's caret. */
  lookAt(field: HTMLTextAreaElement): void {
    this.look(field.value, field.selectionEnd);
  }

  /** Takes a key, by its cap, while completions are shown; reports whether it did something. */
  press(cap: string, field: HTMLTextAreaElement): boolean {
    const act = this.open ? acts[cap] : undefined;
    if (act === 'accept') this.accept(field);
    else if (act === 'shut') this.#shut();
    else if (act !== undefined) this.#move(act === 'next' ? 1 : -1);
    return act !== undefined;
  }

  /** Puts the completion that is chosen into its field, as if it were typed. */
  accept(field: HTMLTextAreaElement): void {
    const { token, chosen } = this;
    if (!token || !chosen) return;
    const done = complete(field.value, field.selectionStart, token, chosen.insert);
    this.leave();
    field.value = done.text;
    field.setSelectionRange(done.caret, done.caret);
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }

  /** Closes the list for the word that it is about. */
  #shut(): void {
    this.#shutAt = this.token?.from ?? -1;
    this.#end();
  }

  /** Closes the list; the same word may open it again. */
  leave(): void {
    this.#shutAt = -1;
    this.#end();
  }

  #move(by: number): void {
    this.active = (this.active + by + this.options.length) % this.options.length;
  }

  #end(): void {
    this.token = undefined;
    this.options = [];
    this.#wanted = '';
  }

  async #findCommands(): Promise<void> {
    this.#commands ??= await this.from.commands?.().catch(() => undefined);
    if (this.token?.kind === 'command')
      this.#offer(commandOptions(this.#commands ?? [], this.token.typed));
  }

  /** What was typed while an answer was under way is asked for next; the answer itself is stale. */
  async #findFiles(typed: string): Promise<void> {
    this.#wanted = typed;
    if (this.#busy) return;
    this.#busy = true;
    const files = await this.from.files(typed).catch(() => []);
    this.#busy = false;
    if (this.token?.kind !== 'file') return;
    if (this.#wanted !== typed) return this.#findFiles(this.#wanted);
    this.#offer(fileOptions(files));
  }

  #offer(options: Option[]): void {
    const before = this.chosen?.insert;
    this.options = options;
    this.active = Math.max(
      0,
      options.findIndex((one) => one.insert === before),
    );
  }
}
