// What can be said to a permission or a plan from a phone.

import type { beckon } from '../bridge';
import { choicesOf, type VerdictChoice } from '../question/choices';

/** Choice is a verdict, how far it reaches, and what a plan goes on in; empty for the mode that stands. */
export interface Choice extends VerdictChoice {
  mode: beckon.PermissionMode | '';
}

/** choicesFor lists them in the order in which they are shown. What holds for good is given at the desk only. */
export function choicesFor(q: Pick<beckon.Question, 'kind' | 'permission' | 'taskId'>): Choice[] {
  const all = choicesOf(q).flatMap((one): Choice[] => (one.project ? [] : [{ ...one, mode: '' }]));
  if (q.kind !== 'plan') return all;
  const [approve, change] = all;
  return [approve!, { ...approve!, mode: 'acceptEdits' }, change!];
}
