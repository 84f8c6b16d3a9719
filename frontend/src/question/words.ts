// What a question and its end are called.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { clock } from '../i18n/format';
import { hostOf } from '../outside/words';
import { store, waits } from '../state';
import { within } from '../text/paths';
import { oneLine } from '../text/plain';
import type { VerdictChoice } from './choices';
import { answerText } from './draft';
import { leftMs } from './clock';

/** headOf names what the agent wants, for the strip. */
export function headOf(q: beckon.Question): string {
  if (q.kind === 'plan') return t('question.planReady');
  if (q.kind === 'elicitation') return t('question.fillIn');
  if (q.kind !== 'permission') return t('question.asks');
  if (q.permission?.command) return t('question.allowCommand');
  return q.permission?.diff || q.permission?.path ? t('question.allowChange') : t('question.allowTool');
}

/** clockWords says what happens when, in words; "" where nothing will. */
export function clockWords(q: beckon.Question, now: number): string {
  if (q.settlement === 'orphaned') return t('question.orphaned');
  if (!waits(q)) return '';
  if (store.wayOf(q.id) !== undefined) return t('question.noClock');
  const left = leftMs(q, now);
  if (left === null) return t('question.waits');
  const time = clock(left);
  if (q.heldMs > 0) return t('question.heldAt', { time });
  if (q.policy === 'park') return t('question.parksIn', { time });
  return q.kind === 'ask' ? t('question.carriesOnIn', { time }) : t('question.deniedIn', { time });
}

/** subjectOf is the question in one line: its text, the command, the plan's title. */
export function subjectOf(q: beckon.Question): string {
  if (q.kind === 'plan') return oneLine((/^\s*#*\s*(\S.*)$/m.exec(q.plan)?.[1] ?? '').slice(0, 200));
  if (q.kind === 'elicitation') return oneLine(q.message.slice(0, 300));
  const wish = q.permission;
  if (wish) return oneLine((wish.command || within(wish.path, store.foldersOf(q.taskId)) || wish.description || wish.tool).slice(0, 300));
  return oneLine((q.items[0]?.text ?? '').slice(0, 2000));
}

/** wishOf says what an agent wants to be allowed. */
export function wishOf(q: beckon.Question): string {
  const wish = q.permission;
  if (wish?.command) return t('question.wantsCommand');
  if (wish?.path) return t('question.wantsChange', { path: oneLine(within(wish.path, store.foldersOf(q.taskId))) });
  return t('question.wantsTool', { tool: oneLine(wish?.tool ?? '') });
}

/** choiceWords is what a choice of a permission or a plan says on a button, and in `short` on one that has little room. */
export function choiceWords(q: Pick<beckon.Question, 'id' | 'kind'>, { verdict, project }: VerdictChoice, short = false): string {
  if (q.kind === 'plan') return t(verdict === 'deny' ? 'question.requestChanges' : 'question.approve');
  if (verdict === 'deny') return t('question.deny');
  if (verdict === 'allow') return t('question.allowOnce');
  if (short || store.wayOf(q.id) === 'keys') return t(project ? 'question.allowProjectShort' : 'question.allowSessionShort');
  return t(project ? 'question.allowProject' : 'question.allowSession');
}

/** saidOf is an answer in a line. */
export function saidOf(q: beckon.Question, answer: beckon.Answer): string {
  if (answer.verdict === 'skip') return t(q.kind === 'elicitation' ? 'question.cancelled' : 'question.skipped');
  if (q.kind === 'elicitation') return t(answer.verdict === 'allow' ? 'question.filledIn' : 'question.declined');
  if (q.kind === 'plan') return answer.verdict === 'deny' ? t('question.changesRequested') : t(answer.plan ? 'question.approvedEdited' : 'question.approved');
  if (answer.verdict === 'allow') return t('question.allowedOnce');
  if (answer.verdict === 'allowAlways') return t('question.allowedAlways');
  if (answer.verdict === 'deny') return t('question.denied');
  return oneLine(answerText(answer));
}

/** sourceOf says from where a person answered, where that was not the page; "" else. */
export function sourceOf(answer: beckon.Answer): string {
  const name = oneLine(answer.byName ?? '');
  if (answer.by === 'tray') return t('question.fromTray');
  if (answer.by === 'notification') return t('question.fromNotification');
  if (answer.by === 'phone') return t('question.fromDevice', { name });
  return answer.by === 'telegram' ? t('question.fromTelegram', { name }) : '';
}

/** whereAnswered says where a question of a session elsewhere was answered; "" for those of tasks' own agents. */
export function whereAnswered(q: beckon.Question): string {
  if (q.origin === '' || !q.answer) return '';
  return [t(q.answer.by === 'terminal' ? 'question.answeredIn' : 'question.answeredHere'), sourceOf(q.answer)].filter(Boolean).join(', ');
}

/** tookOf is how long a question waited until it was settled, in whole seconds of milliseconds. */
export function tookOf(q: beckon.Question): number {
  return Math.floor(Math.max(0, q.settled - q.asked) / 1000) * 1000;
}

/** whoOf names who asks, where that is no task's own agent; "" for those. */
export function whoOf(q: beckon.Question): string {
  const agent = q.agent ? t('question.fromAgent', { agent: oneLine(q.agent) }) : '';
  const session = store.sessionOf(q.id);
  const from = session ? t(session.entrypoint === 'cli' ? 'question.fromTerminal' : 'question.fromHost', { host: hostOf(session) }) : oneLine(q.origin);
  return [from, agent].filter(Boolean).join(' · ');
}

/**
 * answerableLate reports whether an answer is still of use after the question
 * was settled without a person: by its clock, or by a rule.
 */
export function answerableLate(q: beckon.Question): boolean {
  if (q.settlement === 'answered') return q.answer?.by === 'rule' && q.taskId !== '';
  return q.settlement === 'expired' && q.answer === undefined && (q.kind === 'ask' || q.kind === 'plan');
}
