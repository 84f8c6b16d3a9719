import type { beckon } from '../bridge';

/** So long a run has worked that is a long one. */
export const longMs = 5 * 60_000;

/** Whether a run that works on this computer has done so for long: one that asks waits, and sleep costs it nothing. */
export function worksLong(
  runs: Iterable<beckon.Run>,
  executors: readonly beckon.ExecutorStatus[],
  now: number,
): boolean {
  const here = new Set([
    '',
    ...executors
      .filter(({ executor }) => executor.kind === 'container')
      .map(({ executor }) => executor.id),
  ]);
  for (const run of runs)
    if (
      run.phase === 'working' &&
      run.kind !== 'external' &&
      here.has(run.executor) &&
      now - run.started >= longMs
    )
      return true;
  return false;
}
