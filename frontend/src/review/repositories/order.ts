// Which repositories of a task are merged, in which order, and how they stand.

import type { beckon } from '../../bridge';

/** mergeable returns the parts that have something to merge, whether that goes or not. */
export function mergeable<P extends beckon.TaskPart>(parts: P[]): P[] {
  return parts.filter(isMergeable);
}

/** isMergeable reports whether a part has something to merge. */
export function isMergeable({ state }: beckon.TaskPart): boolean {
  return open.has(state);
}

/** isSeveral reports whether a task works in more repositories than its own. */
export function isSeveral(taskId: string, parts: beckon.TaskPart[]): boolean {
  return parts.some(
    ({ id, branch, state }) => id !== taskId && (branch !== '' || state !== 'none'),
  );
}

const open: ReadonlySet<beckon.PartState> = new Set(['clean', 'conflict', 'refused', 'missing']);

/** ordered sorts parts as their ids were put; those that were not stay behind the one that they came after. */
export function ordered<P extends beckon.TaskPart>(parts: P[], ids: string[]): P[] {
  const put = ids.flatMap((id) => parts.find((part) => part.id === id) ?? []);
  const sorted = [...put];
  for (const [i, part] of parts.entries()) {
    if (put.includes(part)) continue;
    const before = parts[i - 1];
    sorted.splice(before ? sorted.indexOf(before) + 1 : 0, 0, part);
  }
  return sorted;
}

/** inTree returns parts in the order of the tree: what is not merged comes last. */
export function inTree<P extends beckon.TaskPart>(parts: P[]): P[] {
  const idle = (part: P) => part.state === 'unchanged' || part.state === 'none';
  return [...parts.filter((part) => !idle(part)), ...parts.filter(idle)];
}

/** What is worst of parts that are to be merged: the state, and those that are in it. */
export interface Worst<P extends beckon.TaskPart> {
  state: 'missing' | 'conflict' | 'refused' | 'clean';
  parts: P[];
}

/** worstOf returns the worst state among parts; what could not be read is refused. */
export function worstOf<P extends beckon.TaskPart & { failed?: string }>(parts: P[]): Worst<P> {
  const stateOf = ({ state, failed }: P) => (failed && state === 'clean' ? 'refused' : state);
  for (const state of ['missing', 'conflict', 'refused'] as const) {
    const of = parts.filter((part) => stateOf(part) === state);
    if (of.length > 0) return { state, parts: of };
  }
  return { state: 'clean', parts };
}

/** baseOf returns the branch that all parts are merged into; undefined where it is not one. */
export function baseOf(parts: beckon.TaskPart[]): string | undefined {
  const bases = new Set(parts.map(({ base }) => base));
  return bases.size === 1 ? parts[0]!.base : undefined;
}

/** sumOf counts the commits and files of parts. */
export function sumOf(parts: beckon.TaskPart[]): { commits: number; files: number } {
  return {
    commits: parts.reduce((sum, part) => sum + part.commits, 0),
    files: parts.reduce((sum, part) => sum + part.files, 0),
  };
}
