// What was answered today, or went on without an answer.

import { api, type beckon } from '../bridge';
import { isUnasked } from '../question/words';
import { attempt, clock, store, waits } from '../state';

/** Today reads the day's answers once and follows them from then on. */
export class Today {
  #read = $state.raw<beckon.Question[]>([]);
  readonly #since = $derived(new Date(clock.now).setHours(0, 0, 0, 0));
  /** The latest first. */
  readonly all = $derived(ofDay([...this.#read, ...store.questions.values()], this.#since));
  /** How long the person took, in milliseconds; undefined where they answered nothing. */
  readonly median = $derived(
    medianOf(this.all.flatMap((q) => (byHand(q) ? [q.settled - q.asked] : []))),
  );

  async load(): Promise<void> {
    await attempt(async () => (this.#read = await api.answeredSince(this.#since)));
  }

  find(id: string): beckon.Question | undefined {
    return this.all.find((q) => q.id === id);
  }
}

/** momentOf is when a question was answered, or else settled. */
export function momentOf(q: beckon.Question): number {
  return q.answer?.at || q.settled;
}

/** ofDay is what was answered, or ran out, since a moment, by its newest value, the latest first. */
export function ofDay(questions: beckon.Question[], since: number): beckon.Question[] {
  const newest = [...new Map(questions.map((q) => [q.id, q])).values()];
  const settled = newest.filter(
    (q) => !waits(q) && (q.answer !== undefined || (q.settlement === 'expired' && !isUnasked(q))),
  );
  return settled.filter((q) => momentOf(q) >= since).sort((a, b) => momentOf(b) - momentOf(a));
}

/** medianOf is the middle of some numbers; undefined of none. */
export function medianOf(numbers: number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? sorted[half]
    : sorted.length > 0
      ? (sorted[half - 1]! + sorted[half]!) / 2
      : undefined;
}

function byHand(q: beckon.Question): boolean {
  return q.settlement === 'answered' && q.answer !== undefined && q.answer.by !== 'rule';
}
