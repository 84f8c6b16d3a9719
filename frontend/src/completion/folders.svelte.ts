// The folders that go on with a path that is half typed.
import { api, type beckon } from '../bridge';

/** How long typing must rest before the folders are looked for. */
const rest = 60;

export class CompletingFolders {
  options = $state.raw<beckon.Folder[]>([]);
  active = $state(0);
  /** An option was gone to by the arrows, so Enter takes it. */
  picked = $state(false);
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Looks for what goes on with the text; a later call makes this one void. */
  look(typed: string): void {
    clearTimeout(this.#timer);
    const mine = ++this.#asked;
    if (typed.trim() === '') return this.close();
    this.#timer = setTimeout(() => void this.#find(typed, mine), rest);
  }

  async #find(typed: string, mine: number): Promise<void> {
    const found = await api.folders(typed).catch(() => []); // the folder itself is judged where it is chosen
    if (mine !== this.#asked) return;
    const chosen = this.picked ? this.options[this.active]?.dir : undefined;
    this.options = found.filter((folder) => folder.dir !== typed);
    this.active = Math.max(
      0,
      this.options.findIndex(({ dir }) => dir === chosen),
    );
    this.picked = this.options[this.active]?.dir === chosen && chosen !== undefined;
  }

  move(by: number): void {
    this.active = (this.active + by + this.options.length) % this.options.length;
    this.picked = true;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked++;
    this.options = [];
    this.picked = false;
  }
}

/** The rest of an option, to be shown behind what was typed; empty where the letters differ in more than case. */
export function restOf(typed: string, option: beckon.Folder | undefined): string {
  if (
    option === undefined ||
    option.dir.slice(0, typed.length).toLowerCase() !== typed.toLowerCase()
  )
    return '';
  return option.dir.slice(typed.length);
}

/** What taking an option makes of the text: a repository is the goal, any other folder may be on the way to it. */
export function taken(option: beckon.Folder): string {
  return option.git ? option.dir : option.dir + (option.dir.includes('\\') ? '\\' : '/');
}
