import type { beckon } from '../bridge';

/** The number of a run within its task, by id. */
export type RunNumber = (runId: string) => number;

/** A place in a task's transcript: a line of a run, and where the line has several parts, one of them. */
export interface Place {
  runId: string;
  pos: number;
  part?: number;
}

/** Names an entry within its task: ids repeat from run to run of one session. */
export function entryKey(entry: beckon.Entry): string {
  return `${entry.runId}/${entry.id}`;
}

/**
 * Adds entries to those that are shown, in the order of run, line and part.
 * An entry that is there already is replaced, and a tool call finds its
 * result, whichever of the two came first.
 */
export function merge(
  shown: beckon.Entry[],
  more: beckon.Entry[],
  number: RunNumber,
): beckon.Entry[] {
  const list = [...shown];
  const ids = new Set(more.map((entry) => entry.id));
  const at = new Map<string, number>();
  for (const [i, entry] of list.entries()) if (ids.has(entry.id)) at.set(entryKey(entry), i);
  let sorted = true;
  for (const entry of more) {
    const i = at.get(entryKey(entry));
    if (i !== undefined) {
      const joined = join(list[i]!, entry);
      sorted &&= joined.pos === list[i]!.pos;
      list[i] = joined;
      continue;
    }
    const last = list.at(-1);
    sorted &&= last === undefined || order(last, entry, number) <= 0;
    at.set(entryKey(entry), list.length);
    list.push(entry);
  }
  return sorted ? list : list.sort((a, b) => order(a, b, number));
}

/**
 * Those of the entries that come after the end of a page: they are newer than
 * the reading of it, whatever else it did not know.
 */
export function beyond(
  shown: beckon.Entry[],
  page: beckon.Entry[],
  number: RunNumber,
): beckon.Entry[] {
  const last = page.at(-1);
  return last === undefined ? shown : shown.filter((entry) => order(last, entry, number) < 0);
}

/** Sorts entries by run, line and part. */
export function order(a: Place, b: Place, number: RunNumber): number {
  if (a.runId !== b.runId) return number(a.runId) - number(b.runId);
  return a.pos - b.pos || (a.part ?? 0) - (b.part ?? 0);
}

/** Of two values of one entry, what is known from both: the former where they are alike, so that what is drawn of it stays. */
function join(have: beckon.Entry, next: beckon.Entry): beckon.Entry {
  if (alike(have, next)) return have;
  if (have.tool === undefined || next.tool === undefined) return next;
  if (next.tool.orphan && !have.tool.orphan)
    return { ...have, ...picturesOf(next), tool: withResult(have.tool, next.tool) };
  if (have.tool.orphan && !next.tool.orphan)
    return { ...next, ...picturesOf(have), tool: withResult(next.tool, have.tool) };
  // Two results without their call: the line that came first has the place.
  if (have.tool.orphan && next.tool.orphan && have.pos < next.pos)
    return { ...next, pos: have.pos, part: have.part, at: have.at };
  // A page that was read before the result must not take it away again.
  if (have.tool.done && !next.tool.done) return have;
  return next;
}

/** Whether two values of an entry are the same, as those of a page that is read again mostly are. */
function alike(have: beckon.Entry, next: beckon.Entry): boolean {
  return (
    sameValues({ ...have, tool: undefined }, { ...next, tool: undefined }) &&
    sameValues(have.tool ?? {}, next.tool ?? {})
  );
}

function sameValues(a: object, b: object): boolean {
  const keys = Object.keys(a) as (keyof typeof a)[];
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** The pictures of a tool call come with its result. */
function picturesOf(result: beckon.Entry): Partial<beckon.Entry> {
  return result.pictures === undefined ? {} : { pictures: result.pictures };
}

function withResult(call: beckon.ToolCall, from: beckon.ToolCall): beckon.ToolCall {
  if (call.done && !from.done) return call;
  const { done, failed, result, cut } = from;
  const joined = { ...call, done, failed, result, cut, orphan: false };
  // The result knows best what was changed: nothing where it failed.
  if (!failed && from.diff === '') return joined;
  return { ...joined, diff: from.diff, added: from.added, removed: from.removed };
}
