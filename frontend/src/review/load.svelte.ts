import { api, asBeckonError, type beckon } from '../bridge';
import { explain } from '../state';

/** Review is a task's branch against its base, as it was last read. */
export class Review {
  diff = $state.raw<beckon.ReviewDiff>();
  failed = $state('');
  loading = $state(false);

  #again = false;

  constructor(private readonly taskId: string) {}

  /** load reads it again; a call while reading makes it read once more after. */
  async load(): Promise<void> {
    if (this.loading) {
      this.#again = true;
      return;
    }
    this.loading = true;
    do {
      this.#again = false;
      await this.#read();
    } while (this.#again);
    this.loading = false;
  }

  async #read(): Promise<void> {
    try {
      this.diff = await api.review(this.taskId);
      this.failed = '';
    } catch (thrown) {
      this.failed = explain(asBeckonError(thrown));
    }
  }
}
