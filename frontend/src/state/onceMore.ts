/** OnceMore does work one at a time; however often it is asked for meanwhile, it is done once more after. */
export class OnceMore {
  #now: Promise<void> | undefined;
  #asked = false;

  constructor(private readonly work: () => Promise<void>) {}

  /** Whether it is to be done once more after what is being done. */
  get asked(): boolean {
    return this.#asked;
  }

  /** Asks for the work; settles once nothing of it is left. */
  ask(): Promise<void> {
    this.#asked = true;
    return (this.#now ??= this.#all().finally(() => (this.#now = undefined)));
  }

  async #all(): Promise<void> {
    while (this.#asked) {
      this.#asked = false;
      await this.work();
    }
  }
}
