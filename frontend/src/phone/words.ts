// What the phone's page says of questions and their ends.

import type { beckon } from '../bridge';
import { has, t } from '../i18n/index.svelte';
import { saidOf, sourceOf } from '../question/said';
import { oneLine } from '../text/plain';
import type { Answered, Asked } from './types';

/** kindOf says what kind of thing waits, where that is not one question. */
export function kindOf(q: beckon.Question): string {
  if (q.kind === 'permission') return t('phone.permission');
  if (q.kind === 'plan') return t('phone.plan');
  if (q.kind === 'elicitation') return t('phone.form');
  return q.items.length > 1 ? t('question.count', { n: q.items.length }) : '';
}

/** nameOf is what people know a question's asker by. */
export function nameOf(asked: Pick<Asked, 'key' | 'question'>): string {
  return asked.key || oneLine(asked.question.origin) || t('phone.elsewhere');
}

/** saysOf is what the agent that asks is called in a sentence. */
export function saysOf(asked: Asked): string {
  return oneLine(asked.agent?.says ?? '') || t('phone.theAgent');
}

/** otherOf is the agent that asks where that is not Claude Code; "" else. */
export function otherOf(asked: Asked): string {
  return asked.agent?.kind ? saysOf(asked) : '';
}

/** nextOf says what an asker wants, for the line that leads there. */
export function nextOf(asked: Asked): string {
  const { question: q } = asked;
  const other = otherOf(asked);
  return t(q.permission?.command ? 'phone.next_command' : `phone.next_${q.kind}`, {
    key: other ? `${other} (${nameOf(asked)})` : nameOf(asked),
  });
}

/** placeOf says where an answer came from. */
export function placeOf(one: Pick<Answered, 'by' | 'byName' | 'mine'>): string {
  if (one.mine) return t('phone.fromHere');
  if (one.by === 'rule') return t('phone.byRule');
  if (one.by === 'terminal') return t('question.fromTerminal');
  return sourceOf(one);
}

/** answerOf is an answer in a line. */
export function answerOf(one: Answered): string {
  const { verdict, answer } = one;
  if (one.unasked && !answer) return t('phone.unasked');
  if (one.settlement !== 'answered' && !answer && !verdict) return t('phone.noAnswer');
  const decided = verdict
    ? saidOf(one, { items: [], verdict, text: '', by: one.by, at: one.at })
    : '';
  return [decided, oneLine(answer)].filter(Boolean).join(': ');
}

/** endOf says how a question was settled by somebody else. */
export function endOf(one: Answered): string {
  if (one.settlement === 'expired') return t('phone.expired');
  if (one.settlement !== 'answered') return t('phone.withdrawn');
  const place = placeOf(one) || t('phone.atDesk');
  const answer = answerOf(one);
  return answer ? t('phone.answeredBy', { answer, place }) : t('phone.answeredAt', { place });
}

/** whyOf says why Beckon said no. */
export function whyOf(code: string, message: string, host: string): string {
  const key = `phone.no_${code}`;
  if (has(key)) return t(key, { host });
  return message ? oneLine(message) : t('phone.no');
}

/** shortPath is a path by its end, which tells one from another on a narrow screen. */
export function shortPath(text: string): string {
  const steps = text.split(/[\\/]/);
  return /^(?:\/|[A-Za-z]:\\)\S*$/.test(text) && steps.length > 4
    ? `…/${steps.slice(-2).join('/')}`
    : text;
}

/** What this device may answer, and what it may not. */
export function mayAnswer(q: beckon.Question, rights: beckon.Rights): boolean {
  if (q.kind === 'plan') return rights.plans;
  if (q.kind === 'permission') return rights.commands;
  return rights.questions;
}
