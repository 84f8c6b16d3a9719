import type { beckon } from '../bridge';
import { t, type MessageKey } from '../i18n/index.svelte';

const ways: Record<beckon.MergeWay, MessageKey> = { squash: 'review.waySquash', merge: 'review.wayMerge', rebase: 'review.wayRebase' };

/** The ways to merge. */
export function wayOptions(): { value: beckon.MergeWay; label: string }[] {
  return (Object.keys(ways) as beckon.MergeWay[]).map((value) => ({ value, label: t(ways[value]) }));
}
