import type { beckon } from '../bridge';
import { t, type MessageKey } from '../i18n/index.svelte';

const ways: Record<beckon.MergeWay, MessageKey> = {
  squash: 'review.waySquash',
  merge: 'review.wayMerge',
  rebase: 'review.wayRebase',
};

/** What a way to merge is called. */
export function wayName(way: beckon.MergeWay): string {
  return t(ways[way]);
}

/** The ways to merge. */
export function wayOptions(): { value: beckon.MergeWay; label: string }[] {
  return (Object.keys(ways) as beckon.MergeWay[]).map((value) => ({
    value,
    label: wayName(value),
  }));
}
