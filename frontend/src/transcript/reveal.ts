import type { beckon } from '../bridge';
import { entryKey, type Place } from '../state/entries';
import { open, type Opened } from './opened';

/** What is open on its own, and what else to open at a place. */
interface How {
  everything: boolean;
  /** Whether what a call gave back is to be seen in full: somebody looks for words in it. */
  output: boolean;
}

/** reveal opens what hides a place: the sub-agents that it is in, a thought, a call. */
export function reveal(
  opened: Opened,
  entries: beckon.Entry[],
  place: Place,
  { everything, output }: How,
): void {
  const at = entries.find(
    (entry) =>
      entry.runId === place.runId && entry.pos === place.pos && entry.part === (place.part ?? 0),
  );
  if (at === undefined) return;
  const calls = new Map(
    entries.filter((entry) => entry.tool).map((entry) => [entry.tool!.useId, entry]),
  );
  const seen = new Set<string>();
  for (let parent = at.parent; parent !== '' && !seen.has(parent);) {
    seen.add(parent);
    const call = calls.get(parent);
    if (!call) break;
    open(opened, entryKey(call), everything);
    parent = call.parent;
  }
  if (!output) return;
  if (at.kind === 'thinking') open(opened, entryKey(at), everything);
  if (at.kind === 'user') open(opened, entryKey(at));
  if (at.tool) {
    open(opened, entryKey(at));
    open(opened, `${entryKey(at)}/out`);
  }
}
