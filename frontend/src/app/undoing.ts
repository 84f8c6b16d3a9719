import { api } from '../bridge';
import { changing } from '../question/changing.svelte';
import { undo } from '../state';

/** Takes back what was done last: a change of cards, or an answer, which opens to be changed. */
export async function undoLast(): Promise<void> {
  const answer = changing.last();
  if (answer === undefined) return undo();
  const step = await api.undoNext().catch(() => undefined); // without Beckon an answer cannot be changed either, and says so
  if (step !== undefined && step.at > answer.at) return undo();
  answer.open();
}
