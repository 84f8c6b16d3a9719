import type { beckon } from '../bridge';

/** What became of whom a sleep met: how many runs went on after it, how many did not, and how many questions waited. */
export function sinceSleep(
  slept: beckon.Slept,
  runOf: (id: string) => beckon.Run | undefined,
): { went: number; stopped: number; waited: number } {
  const stopped = slept.runs.filter((id) => {
    const run = runOf(id);
    return run?.phase === 'ended' && ['failed', 'limited', 'lost'].includes(run.outcome);
  }).length;
  return { went: slept.runs.length - stopped, stopped, waited: slept.questions.length };
}
