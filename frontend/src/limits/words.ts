// What a budget says of itself, wherever it is shown.

import type { beckon } from '../bridge';
import { cost, tokens } from '../i18n/format';
import { t } from '../i18n/index.svelte';

/** partOf is how much of a budget is used up: 1 is all of it. */
export function partOf({ limit, spent }: Pick<beckon.Budget, 'limit' | 'spent'>): number {
  return Math.max(
    limit.usd > 0 ? spent.costUsd / limit.usd : 0,
    limit.tokens > 0 ? spent.tokens / limit.tokens : 0,
  );
}

/** spentOf says what was spent of a limit, in what the limit is in. */
export function spentOf({ limit, spent }: Pick<beckon.Budget, 'limit' | 'spent'>): string {
  return limit.usd > 0
    ? t('question.spentOf', { spent: cost(spent.costUsd), limit: cost(limit.usd) })
    : t('question.tokensOf', { spent: tokens(spent.tokens), limit: tokens(limit.tokens) });
}

/** headOf names what Beckon asks about a budget. */
export function headOf(budget: NonNullable<beckon.Question['budget']>): string {
  if (budget.scope === 'day') return t('question.dayLimit');
  return t(budget.scope === 'project' ? 'question.projectLimit' : 'question.pausedAtBudget');
}
