// What a question and its end are called at the desk, which knows more of it than its own words: see said.ts.

import type { beckon } from '../bridge';
import { clock as span } from '../i18n/format';
import { t } from '../i18n/index.svelte';
import { hostOf } from '../outside/words';
import { askerOf, store, waits } from '../state';
import { oneLine } from '../text/plain';
import type { VerdictChoice } from './choices';
import {
  countdownOf,
  headOf as headIn,
  saidOf,
  sourceOf,
  subjectIn,
  wishIn,
  choiceOf,
} from './said';

export { isUnasked, saidOf, sourceOf, tookOf } from './said';

/** headOf names what the agent wants, for the strip. */
export function headOf(q: beckon.Question): string {
  return headIn(q, askerOf(q));
}

/** clockWords says what happens when, in words; "" where nothing will. */
export function clockWords(q: beckon.Question, now: number): string {
  if (!waits(q)) return '';
  if (q.settlement === 'open' && store.wayOf(q.id) !== undefined) return t('question.noClock');
  return countdownOf(q, now);
}

/** subjectOf is the question in one line: its text, the command, the plan's title. */
export function subjectOf(q: beckon.Question): string {
  return subjectIn(q, store.foldersOf(q.taskId));
}

/** wishOf says what an agent wants to be allowed. */
export function wishOf(q: beckon.Question): string {
  return wishIn(q, store.foldersOf(q.taskId), askerOf(q));
}

/** choiceWords is what a choice of a permission or a plan says on a button, and in `short` on one that has little room. */
export function choiceWords(
  q: Pick<beckon.Question, 'id' | 'kind'>,
  choice: VerdictChoice,
  short = false,
): string {
  return choiceOf(q.kind, choice, short || store.wayOf(q.id) === 'keys');
}

/** wasWords says what the last change of an answer replaced, and after how long; "" where nothing was changed. */
export function wasWords(q: beckon.Question): string {
  const first = q.earlier?.at(-1);
  if (first === undefined || !q.answer) return '';
  return t('change.was', {
    answer: saidOf(q, first),
    time: span(Math.floor(Math.max(0, q.answer.at - first.at) / 1000) * 1000),
  });
}

/** whereAnswered says where a question of a session elsewhere was answered; "" for those of tasks' own agents. */
export function whereAnswered(q: beckon.Question): string {
  if (q.origin === '' || !q.answer) return '';
  return [
    t(q.answer.by === 'terminal' ? 'question.answeredIn' : 'question.answeredHere'),
    sourceOf(q.answer),
  ]
    .filter(Boolean)
    .join(', ');
}

/** whoOf names who asks, where that is no task's own agent; "" for those. */
export function whoOf(q: beckon.Question): string {
  const agent = q.agent ? t('question.fromAgent', { agent: oneLine(q.agent) }) : '';
  const session = store.sessionOf(q.id);
  const from = session
    ? t(session.entrypoint === 'cli' ? 'question.fromTerminal' : 'question.fromHost', {
        host: hostOf(session),
      })
    : oneLine(q.origin);
  return [from, agent].filter(Boolean).join(' · ');
}

/**
 * answerableLate reports whether an answer is still of use after the question
 * was settled without one: by its clock.
 */
export function answerableLate(q: beckon.Question): boolean {
  return (
    q.settlement === 'expired' && q.answer === undefined && (q.kind === 'ask' || q.kind === 'plan')
  );
}

/** How often an answer can be changed, as the back end has it. */
const mostChanges = 20;

/**
 * changeable reports whether the agent can get another answer in the place of
 * the one that was given. What a permission let run has run.
 */
export function changeable(q: beckon.Question): boolean {
  const task = store.tasks.get(q.taskId);
  return (
    q.answer !== undefined &&
    (q.earlier?.length ?? 0) < mostChanges &&
    (q.kind === 'ask' || q.kind === 'plan') &&
    !q.budget &&
    task !== undefined &&
    task.status !== 'done' &&
    task.status !== 'archived'
  );
}
