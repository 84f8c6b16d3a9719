import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';

/** "line 44", "lines 63–65", with what says that they were removed. */
export function linesText({
  side,
  first,
  last,
}: Pick<beckon.CommentLines, 'side' | 'first' | 'last'>): string {
  const lines = first === last ? t('review.line', { first }) : t('review.lines', { first, last });
  return side === 'before' ? t('review.linesBefore', { lines }) : lines;
}
