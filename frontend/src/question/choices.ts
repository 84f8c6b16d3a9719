// What can be said to a permission or a plan, in the order of its keys.

import type { beckon } from '../bridge';

/** VerdictChoice is a verdict, and for "allow always" how far it reaches. */
export interface VerdictChoice {
  verdict: Exclude<beckon.Verdict, 'skip'>;
  project: boolean;
}

/** choicesOf lists what can be said; an ask and an elicitation have none. */
export function choicesOf(
  q: Pick<beckon.Question, 'kind' | 'permission' | 'taskId'>,
): VerdictChoice[] {
  const choice = (verdict: VerdictChoice['verdict'], project = false) => ({ verdict, project });
  if (q.kind === 'plan') return [choice('allow'), choice('deny')];
  if (q.kind !== 'permission') return [];
  const wish = q.permission;
  return [
    choice('allow'),
    ...(wish?.always ? [choice('allowAlways')] : []),
    ...(wish?.always && wish.lasting.length > 0 && q.taskId ? [choice('allowAlways', true)] : []),
    choice('deny'),
  ];
}
