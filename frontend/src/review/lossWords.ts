// What is said of work that is discarded.
import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';

/** keptWords says until when the work is kept; empty where nothing is. */
export function keptWords(loss: beckon.Loss, date: string): string {
  const lost = loss.uncommitted.length > 0 || loss.commits > 0;
  if (loss.keptUntil === 0 || !lost) return '';
  return t(loss.branchGone ? 'review.workKeptUntil' : 'review.keptUntil', { date });
}

/** discardedWords says so when the card is discarded. */
export function discardedWords(key: string, loss: beckon.Loss, date: string): string {
  if (loss.keptUntil === 0) return t('review.discardedCard', { key });
  return t(loss.branchGone ? 'review.discardedWork' : 'review.discarded', { key, date });
}
