import { doing, heard, type Does } from '../state';

/**
 * Hears the keys of Changes. While the conflicts are shown in place of the diff, only
 * what is about them does something: nothing may change a diff that is out of sight.
 */
export function keysOf(
  inDiff: Omit<Does<'diff'>, 'take'>,
  inConflicts: Partial<Does<'diff'>>,
  atConflicts: () => boolean,
) {
  const diff = doing('diff', { ...inDiff, take: () => false });
  return (cap: string, event: KeyboardEvent): boolean => {
    if (!atConflicts()) return diff(cap, event);
    const row = heard('diff', cap);
    const does = row && inConflicts[row.id];
    return does !== undefined && does(row!.nth, event) !== false;
  };
}
