// What an agent did and said just before it asked.

import type { beckon } from '../bridge';

/** Before is the last of it: a few tool calls, then what was said. */
export interface Before {
  tools: beckon.Entry[];
  text: string;
}

const mostTools = 3;

/**
 * beforeOf reads back from the call that asked, or from the end where no
 * entry names it: to what was said before the last thing that was said.
 */
export function beforeOf(
  entries: beckon.Entry[],
  question: Pick<beckon.Question, 'toolUseId' | 'runId'>,
): Before {
  const own = entries.filter((e) => e.runId === question.runId && e.parent === '');
  const asked =
    question.toolUseId === '' ? -1 : own.findIndex((e) => e.tool?.useId === question.toolUseId);
  const before: Before = { tools: [], text: '' };
  for (const entry of (asked < 0 ? own : own.slice(0, asked)).toReversed()) {
    // What is older belongs to another turn, or to another thought.
    if (
      entry.kind === 'user' ||
      entry.kind === 'turn' ||
      (entry.kind === 'text' && before.text !== '')
    )
      break;
    if (entry.kind === 'text') before.text = entry.text;
    if (entry.kind === 'tool' && entry.tool?.done && before.tools.length < mostTools)
      before.tools.unshift(entry);
  }
  return before;
}
