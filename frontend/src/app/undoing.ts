import { api } from '../bridge';
import { changing } from '../question/changing.svelte';
import { lately, undo } from '../state';

/** Takes back what was done last: a change of cards, an answer, which opens to be changed, or what a screen did by itself. */
export async function undoLast(): Promise<void> {
  const answer = changing.last();
  const own = lately.at();
  if (answer === undefined && own === undefined) return undo();
  const step = await api.undoNext().catch(() => undefined); // without Beckon nothing else can be taken back either, and says so
  if (step !== undefined && step.at > Math.max(answer?.at ?? 0, own ?? 0)) return undo();
  if (own !== undefined && own > (answer?.at ?? 0)) return lately.undo();
  answer?.open();
}
