// What the facts of days add up to, and how that is compared. It knows nothing of the page.

import type { beckon } from '../bridge';

export const measures = ['cost', 'tokens', 'worked', 'waited', 'questions', 'merged'] as const;
export type Measure = (typeof measures)[number];

/** Facts added up, of any days and subjects. */
export type Sums = Omit<beckon.NumbersFact, keyof beckon.NumbersSubject>;

const none: Sums = {
  costUsd: 0,
  tokens: 0,
  unpriced: 0,
  runs: 0,
  workedMs: 0,
  questions: 0,
  answered: 0,
  assumed: 0,
  waitedMs: 0,
  answers: [],
  merged: 0,
  closed: 0,
  discarded: 0,
};

export function sum(facts: Iterable<Sums>): Sums {
  const all: Sums = { ...none, answers: [] };
  for (const fact of facts) {
    for (const key of Object.keys(none) as (keyof Sums)[])
      if (key !== 'answers') all[key] += fact[key];
    all.answers.push(...fact.answers);
  }
  return all;
}

/** A measure of sums: dollars, tokens, milliseconds or a count. */
export function valueOf(measure: Measure, of: Sums): number {
  return {
    cost: of.costUsd,
    tokens: of.tokens,
    worked: of.workedMs,
    waited: of.waitedMs,
    questions: of.questions,
    merged: of.merged,
  }[measure];
}

export interface Group {
  id: string;
  sums: Sums;
  facts: beckon.NumbersFact[];
}

/** Groups facts by a name, those with the most of a measure first; what has nothing of it is last. */
export function groupsBy(
  facts: Iterable<beckon.NumbersFact>,
  measure: Measure,
  nameOf: (fact: beckon.NumbersFact) => string,
): Group[] {
  const groups = new Map<string, beckon.NumbersFact[]>();
  for (const fact of facts) {
    const id = nameOf(fact);
    const had = groups.get(id);
    if (had) had.push(fact);
    else groups.set(id, [fact]);
  }
  return [...groups]
    .map(([id, list]) => ({ id, sums: sum(list), facts: list }))
    .sort(
      (a, b) =>
        valueOf(measure, b.sums) - valueOf(measure, a.sums) ||
        b.sums.tokens - a.sums.tokens ||
        a.id.localeCompare(b.id),
    );
}

/** The middle of a list; undefined of an empty one. */
export function median(list: readonly number[]): number | undefined {
  if (list.length === 0) return undefined;
  const sorted = [...list].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** By how many percent something is more than before; undefined where there was none before. */
export function growth(now: number, before: number): number | undefined {
  return before > 0 ? Math.round(((now - before) / before) * 100) : undefined;
}

/** What today comes to if it goes on like this; undefined before a quarter of the day is over. */
export function pace(today: number, now: Date): number | undefined {
  const minutes = now.getHours() * 60 + now.getMinutes();
  return minutes < 360 || today === 0 ? undefined : (today / minutes) * 1440;
}
