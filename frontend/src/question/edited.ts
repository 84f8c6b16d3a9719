// What an agent did by an answer, before that is changed.

import type { beckon } from '../bridge';

/** How many files were edited since a moment, as far as these entries tell. */
export function editedSince(entries: Pick<beckon.Entry, 'at' | 'tool'>[], since: number): number {
  const files = entries.flatMap(({ at, tool }) =>
    tool?.verb === 'editing' && tool.done && !tool.failed && at >= since ? [tool.target] : [],
  );
  return new Set(files).size;
}
