import { api, type beckon } from '../bridge';
import { attempt } from '../state';
import { screen } from './screen';

/** As much of what a command printed is shown, in characters. */
const most = 200_000;

/** What a command printed, read on as it grows. */
export class Printed {
  /** Without what only a terminal understands. */
  text = $state('');
  /** Whether something before it is left out. */
  cut = $state(false);

  #raw = '';
  #next = 0;
  #started = 0;
  /** How far to read; while one read is under way, others wait for it. */
  #wanted = 0;
  #reading = false;

  constructor(
    private readonly taskId: string,
    private readonly kind: beckon.ScriptKind,
  ) {}

  /** Reads up to a length; one that began at another time begins again. */
  async follow(started: number, length: number): Promise<void> {
    if (started !== this.#started) {
      this.#started = started;
      this.#raw = this.text = '';
      this.#next = 0;
      this.cut = false;
    }
    this.#wanted = length;
    if (this.#reading) return;
    this.#reading = true;
    let going = true;
    while (going && this.#next < this.#wanted) going = await this.#read();
    this.#reading = false;
  }

  async #read(): Promise<boolean> {
    const [from, started] = [this.#next, this.#started];
    let more = false;
    await attempt(async () => {
      const out = await api.scriptOutput(this.taskId, this.kind, from);
      if (started !== this.#started) return void (more = true); // it began again meanwhile
      more = out.next > from;
      if (out.from > from) {
        this.cut = true;
        this.#raw = '';
      }
      this.#next = out.next;
      this.#raw += out.text;
      if (this.#raw.length > most) {
        this.cut = true;
        this.#raw = this.#raw.slice(this.#raw.indexOf('\n', this.#raw.length - most) + 1);
      }
      this.text = screen(this.#raw);
    });
    return more;
  }
}
