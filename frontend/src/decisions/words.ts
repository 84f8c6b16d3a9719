// What is said of a decision.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { isUnasked, saidOf, subjectOf } from '../question/words';
import { fromWords, kindWords } from '../task/asked';
import { oneLine } from '../text/plain';

/** What was decided, as a question. */
export function titleOf(q: beckon.Question): string {
  const subject = subjectOf(q);
  if (q.kind === 'permission') return t('decisions.allow', { what: subject });
  if (q.kind === 'plan') return t('decisions.planOf', { what: subject });
  return subject || oneLine(q.message);
}

/** Its kind, and how many options an ask had. */
export function whatOf(q: beckon.Question): string {
  if (q.budget) return t('decisions.kind_budget');
  const kind = t(`decisions.kind_${q.kind}`);
  return q.kind === 'ask' ? `${kind}, ${kindWords(q)}` : kind;
}

/** The answer, and what stands below it. */
export function answerOf(q: beckon.Question): { said: string; more: string } {
  const assumed = q.assumption ? t('decisions.took', { what: oneLine(q.assumption) }) : '';
  if (!q.answer)
    return { said: t(isUnasked(q) ? 'decisions.unasked' : 'decisions.noAnswer'), more: assumed };
  const remark = oneLine(q.answer.text || q.answer.items[0]?.note || '');
  return { said: saidOf(q, q.answer), more: assumed || (remark ? `“${remark}”` : '') };
}

/** Who decided, and from where. */
export function placeWords(q: beckon.Question): string {
  return q.answer || q.settlement === 'expired' ? fromWords(q) : t('decisions.from_agent');
}

/** How many files a decision led to. */
export function filesWords(led: beckon.Led): string {
  return led.files === 0 ? t('decisions.nothingChanged') : t('decisions.files', { n: led.files });
}
