// What the decisions show. Pure, so that it is tested without a page.

import type { beckon } from '../bridge';
import { isUnasked } from '../question/words';

/** How a decision is drawn. */
export type Mark = 'answered' | 'denied' | 'clock' | 'permission' | 'plan' | 'assumed' | 'rule';

/** Which sign stands before a decision: how it was made, and else what it is about. */
export function markOf(q: beckon.Question): Mark {
  if (!q.answer) return q.settlement === 'expired' && !isUnasked(q) ? 'clock' : 'assumed';
  if (q.answer.verdict === 'deny') return 'denied';
  if (q.answer.by === 'rule') return 'rule';
  if (q.kind === 'permission' || q.kind === 'plan') return q.kind;
  return 'answered';
}

/** A line of the list: a decision with its place among all, or the day of those below. */
export type Line = { day: number } | { q: beckon.Question; at: number };

/** The lines of decisions: those while nobody was here, and the rest, the latest first; a day is its beginning on this computer's clock. */
export function linesOf(gone: beckon.Question[], rest: beckon.Question[]): Line[] {
  const lines: Line[] = gone.map((q, at) => ({ q, at }));
  let day = NaN;
  for (const [nth, q] of rest.entries()) {
    const at = gone.length + nth;
    const begins = new Date(q.settled).setHours(0, 0, 0, 0);
    if (begins !== day) lines.push({ day: (day = begins) });
    lines.push({ q, at });
  }
  return lines;
}

export const keyOf = (line: Line) => ('q' in line ? line.q.id : String(line.day));

/** Whether an option was chosen. */
export function isChosen(q: beckon.Question, item: number, label: string): boolean {
  return q.answer?.items[item]?.labels.includes(label) ?? false;
}

/** Which of the changes show what a decision led to. */
export function changesOf(led: Pick<beckon.Led, 'known' | 'id'> | undefined): {
  since?: string;
} {
  return led?.known ? { since: `decision-${led.id}` } : {};
}

/** Whether a decision is of those that can be chosen differently. */
export function mayDiffer(q: beckon.Question): boolean {
  return q.taskId !== '' && !q.budget && q.kind !== 'elicitation';
}
