// What a question and its end are called, wherever that is shown: these words
// need nothing but the question.

import type { beckon } from '../bridge';
import { clock } from '../i18n/format';
import { t } from '../i18n/index.svelte';
import { headOf as headOfBudget } from '../limits/words';
import { within } from '../text/paths';
import { oneLine } from '../text/plain';
import type { VerdictChoice } from './choices';
import { leftMs } from './clock';
import { answerText } from './draft';

/** Whether the agent decided it by itself, and asked nobody. */
export function isUnasked(q: Pick<beckon.Question, 'why'>): boolean {
  return q.why?.code === 'notAsked';
}

/** headOf names what the agent wants, for the strip; agent is what it is called. */
export function headOf(q: beckon.Question, agent: string): string {
  if (q.budget) return headOfBudget(q.budget);
  if (q.kind === 'plan') return t('question.planReady');
  if (q.kind === 'elicitation') return t('question.fillIn');
  if (isUnasked(q)) return t('question.decided', { agent });
  if (q.kind !== 'permission') return t('question.asks', { agent });
  if (q.permission?.command) return t('question.allowCommand');
  return q.permission?.diff || q.permission?.path
    ? t('question.allowChange')
    : t('question.allowTool');
}

/** countdownOf says what happens to a waiting question when, in words. */
export function countdownOf(q: beckon.Question, now: number): string {
  if (q.budget) return t('question.noClock');
  if (q.settlement === 'orphaned') return t('question.orphaned');
  const left = leftMs(q, now);
  if (left === null) return t('question.waits');
  const time = clock(left);
  if (q.heldMs > 0) return t('question.heldAt', { time });
  if (q.policy === 'park') return t('question.parksIn', { time });
  return q.kind === 'ask' ? t('question.carriesOnIn', { time }) : t('question.deniedIn', { time });
}

/** subjectIn is the question in one line: its text, the command, the plan's title. Paths are as seen from the folders. */
export function subjectIn(q: beckon.Question, folders: string[]): string {
  if (q.kind === 'plan')
    return oneLine((/^\s*#*\s*(\S.*)$/m.exec(q.plan)?.[1] ?? '').slice(0, 200));
  if (q.kind === 'elicitation') return oneLine(q.message.slice(0, 300));
  const wish = q.permission;
  if (wish)
    return oneLine(
      (wish.command || within(wish.path, folders) || wish.description || wish.tool).slice(0, 300),
    );
  return oneLine((q.items[0]?.text ?? '').slice(0, 2000));
}

/** wishIn says what an agent, by what it is called, wants to be allowed. */
export function wishIn(q: beckon.Question, folders: string[], agent: string): string {
  const wish = q.permission;
  if (wish?.command) return t('question.wantsCommand', { agent });
  if (wish?.path)
    return t('question.wantsChange', { agent, path: oneLine(within(wish.path, folders)) });
  return t('question.wantsTool', { agent, tool: oneLine(wish?.tool ?? '') });
}

/** choiceOf is what a choice of a permission or a plan says on a button, and in `short` on one that has little room. */
export function choiceOf(
  kind: beckon.QuestionKind,
  { verdict, project }: VerdictChoice,
  short = false,
): string {
  if (kind === 'plan')
    return t(verdict === 'deny' ? 'question.requestChanges' : 'question.approve');
  if (verdict === 'deny') return t('question.deny');
  if (verdict === 'allow') return t('question.allowOnce');
  if (short) return t(project ? 'question.allowProjectShort' : 'question.allowSessionShort');
  return t(project ? 'question.allowProject' : 'question.allowSession');
}

/** saidOf is an answer in a line. */
export function saidOf(q: Pick<beckon.Question, 'kind'>, answer: beckon.Answer): string {
  if (answer.verdict === 'skip')
    return t(q.kind === 'elicitation' ? 'question.cancelled' : 'question.skipped');
  if (q.kind === 'elicitation')
    return t(answer.verdict === 'allow' ? 'question.filledIn' : 'question.declined');
  if (q.kind === 'plan')
    return answer.verdict === 'deny'
      ? t('question.changesRequested')
      : t(answer.plan ? 'question.approvedEdited' : 'question.approved');
  if (answer.verdict === 'allow') return t('question.allowedOnce');
  if (answer.verdict === 'allowAlways') return t('question.allowedAlways');
  if (answer.verdict === 'deny') return t('question.denied');
  return oneLine(answerText(answer));
}

/** sourceOf says from where a person answered, where that was not the page; "" else. */
export function sourceOf(answer: Pick<beckon.Answer, 'by' | 'byName'>): string {
  const name = oneLine(answer.byName ?? '');
  if (answer.by === 'tray') return t('question.fromTray');
  if (answer.by === 'notification') return t('question.fromNotification');
  if (answer.by === 'phone') return t('question.fromDevice', { name });
  return answer.by === 'telegram' ? t('question.fromTelegram', { name }) : '';
}

/** tookOf is how long a question waited until it was settled, in whole seconds of milliseconds. */
export function tookOf(q: Pick<beckon.Question, 'asked' | 'settled'>): number {
  return Math.floor(Math.max(0, q.settled - q.asked) / 1000) * 1000;
}
