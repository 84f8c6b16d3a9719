// What a question and its end are called.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { clock } from '../i18n/format';
import { store } from '../state';
import { within } from '../text/paths';
import { oneLine } from '../text/plain';
import { answerText } from './draft';
import { leftMs } from './clock';

/** headOf names what the agent wants, for the strip. */
export function headOf(q: beckon.Question): string {
  if (q.kind === 'plan') return t('question.planReady');
  if (q.kind !== 'permission') return t('question.asks');
  if (q.permission?.command) return t('question.allowCommand');
  return q.permission?.diff || q.permission?.path ? t('question.allowChange') : t('question.allowTool');
}

/** clockWords says what happens when, in words; "" where nothing will. */
export function clockWords(q: beckon.Question, now: number): string {
  const left = leftMs(q, now);
  if (q.settlement === 'stranded') return t('question.stranded');
  if (left === null) return t('question.waits');
  const time = clock(left);
  if (q.heldMs > 0) return t('question.heldAt', { time });
  if (q.policy === 'park') return t('question.parksIn', { time });
  return q.kind === 'permission' || q.kind === 'plan' ? t('question.deniedIn', { time }) : t('question.carriesOnIn', { time });
}

/** subjectOf is the question in one line: its text, the command, the plan's title. */
export function subjectOf(q: beckon.Question): string {
  if (q.kind === 'plan') return oneLine((/^\s*#*\s*(\S.*)$/m.exec(q.plan)?.[1] ?? '').slice(0, 200));
  const wish = q.permission;
  if (wish) return oneLine((wish.command || within(wish.path, store.foldersOf(q.taskId)) || wish.description || wish.tool).slice(0, 300));
  return oneLine((q.items[0]?.text ?? '').slice(0, 2000));
}

/** saidOf is an answer in a line. */
export function saidOf(q: beckon.Question, answer: beckon.Answer): string {
  if (q.kind === 'plan') return answer.verdict === 'deny' ? t('question.changesRequested') : t('question.approved');
  if (answer.verdict === 'allow') return t('question.allowedOnce');
  if (answer.verdict === 'allowAlways') return t('question.allowedAlways');
  if (answer.verdict === 'deny') return t('question.denied');
  return oneLine(answerText(answer));
}
