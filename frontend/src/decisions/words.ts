// What is said of a decision.

import type { beckon } from '../bridge';
import { clock } from '../i18n/format';
import { t } from '../i18n/index.svelte';
import { isUnasked, saidOf, subjectOf, tookOf } from '../question/words';
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
  if (isUnasked(q)) return t('decisions.kind_unasked');
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

/** When it was decided, as `said` says a moment, and how long that had been waited for. */
export function whenWords(q: beckon.Question, said: (at: number) => string): string {
  const when = said(q.settled);
  return isUnasked(q) ? when : t('decisions.after', { when, time: clock(tookOf(q)) });
}

/** Who decided, and from where. */
export function placeWords(q: beckon.Question): string {
  return q.answer || q.settlement === 'expired' ? fromWords(q) : t('decisions.from_agent');
}

/** The kinds as choices, with how many decisions are of each. */
export function kindsOf(counts: beckon.DecisionCounts | undefined) {
  return [
    { value: '' as const, label: t('decisions.all'), count: counts?.all ?? 0 },
    { value: 'question' as const, label: t('decisions.question'), count: counts?.questions ?? 0 },
    {
      value: 'permission' as const,
      label: t('decisions.permission'),
      count: counts?.permissions ?? 0,
    },
    { value: 'plan' as const, label: t('decisions.plan'), count: counts?.plans ?? 0 },
  ];
}

/** How many files a decision led to. */
export function filesWords(led: beckon.Led): string {
  return led.files === 0 ? t('decisions.nothingChanged') : t('decisions.files', { n: led.files });
}
