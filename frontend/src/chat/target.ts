// What Enter does with what stands in the composer, told before it is pressed.

import type { beckon } from '../bridge';
import type { Draft } from './draft';

/** Target is where a message goes. */
export type Target =
  /** Begins a turn, or ends the one that runs and begins the next. */
  | { kind: 'begin' | 'redirect' | 'queue' }
  /** Says something to the question that waits: answers it, or refuses and says why. */
  | { kind: 'answer' | 'deny' | 'changes'; question: beckon.Question }
  /** Waits for the agent, which is started with it. */
  | { kind: 'start'; chat: boolean }
  /** There is nobody to talk to. */
  | { kind: 'none' };

/** What a target depends on. */
export interface Stage {
  task: beckon.Task;
  run: beckon.Run | undefined;
  /** The questions that wait and whose answers are not away, the longest waiting first. */
  waiting: beckon.Question[];
  /** What is written. */
  draft: Draft;
}

/** targetOf tells where Enter sends a message. Several questions are answered in the order in which they are shown. */
export function targetOf({ task, run, waiting, draft }: Stage): Target {
  if (run === undefined || run.phase === 'ended') return asleep(task, run);
  const question = waiting[0];
  if (question === undefined)
    return { kind: run.phase === 'working' || run.phase === 'asking' ? 'redirect' : 'begin' };
  // To redirect would take back what was asked, unseen.
  if (draft.images.length > 0 || isCommand(draft.text) || question.kind === 'elicitation')
    return { kind: 'queue' };
  const kinds = { ask: 'answer', permission: 'deny', plan: 'changes' } as const;
  return { kind: kinds[question.kind], question };
}

/** isCommand tells a command of the CLI's from words and from paths. */
export function isCommand(text: string): boolean {
  return /^\s*\/[a-z][\w:.-]*(\s|$)/i.test(text);
}

function asleep(task: beckon.Task, run: beckon.Run | undefined): Target {
  if (run === undefined || task.status === 'archived') return { kind: 'none' };
  if (run.kind === 'chat')
    return run.session === '' && run.copyOf === ''
      ? { kind: 'none' }
      : { kind: 'start', chat: true };
  const over = task.status === 'queued' || task.status === 'done' || task.session === '';
  return over ? { kind: 'none' } : { kind: 'start', chat: false };
}
