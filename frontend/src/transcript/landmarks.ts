import { api, type beckon } from '../bridge';
import type { Place } from '../state';
import { order, type RunNumber } from '../state/entries';

const freshMs = 3000;

/** Walks from one message or question to the next. */
export class Landmarks {
  #taskId: () => string;
  #number: RunNumber;
  #marks: beckon.Landmark[] = [];
  #of = '';
  #read = -Infinity;

  constructor(taskId: () => string, number: RunNumber) {
    this.#taskId = taskId;
    this.#number = number;
  }

  /** The next place after where one is, or the one before; undefined where there is none, or where nobody knows. */
  async from(here: Place | undefined, by: 1 | -1): Promise<Place | undefined> {
    const marks = (await this.#latest()).filter(
      ({ kind }) => kind === 'user' || kind === 'question',
    );
    if (here === undefined) return marks.at(-1);
    if (by > 0) return marks.find((mark) => order(here, mark, this.#number) < 0);
    return marks.findLast((mark) => order(mark, here, this.#number) < 0);
  }

  async #latest(): Promise<beckon.Landmark[]> {
    const taskId = this.#taskId();
    if (taskId === this.#of && performance.now() - this.#read < freshMs) return this.#marks;
    try {
      this.#marks = await api.landmarks(taskId);
      this.#of = taskId;
      this.#read = performance.now();
    } catch {
      return taskId === this.#of ? this.#marks : []; // without the list one scrolls
    }
    return this.#marks;
  }
}
